"""What the tests read."""

import json


def say(type, name, resource_version):
    print(json.dumps({"type": type, "name": name, "resourceVersion": resource_version}), flush=True)
