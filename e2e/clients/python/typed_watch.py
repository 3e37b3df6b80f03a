"""Prints what the typed client's watch brings, a JSON line each: typed_watch.py SERVER NAMESPACE"""

import sys

from kubernetes import client, watch
from urllib3.exceptions import HTTPError

from line import say

server, namespace = sys.argv[1:]
api = client.CoreV1Api(client.ApiClient(client.Configuration(host=server)))
listed = api.list_namespaced_config_map(namespace)
for item in listed.items:
    say("ADDED", item.metadata.name, item.metadata.resource_version)
version = listed.metadata.resource_version
while True:
    watching = watch.Watch()
    try:
        for event in watching.stream(api.list_namespaced_config_map, namespace, resource_version=version):
            version = event["object"].metadata.resource_version
            say(event["type"], event["object"].metadata.name, version)
    except HTTPError as broken:
        # A connection that breaks off is the caller's to open again.
        print(broken, file=sys.stderr)
