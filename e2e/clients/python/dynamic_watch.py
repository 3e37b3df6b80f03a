"""Prints what the dynamic client's watch brings, a JSON line each: dynamic_watch.py SERVER NAMESPACE"""

import sys

from kubernetes import client, dynamic
from urllib3.exceptions import HTTPError

from line import say

server, namespace = sys.argv[1:]
resources = dynamic.DynamicClient(client.ApiClient(client.Configuration(host=server))).resources
maps = resources.get(api_version="v1", kind="ConfigMap")
listed = maps.get(namespace=namespace)
for item in listed.items:
    say("ADDED", item.metadata.name, item.metadata.resourceVersion)
version = listed.metadata.resourceVersion
while True:
    try:
        for event in maps.watch(namespace=namespace, resource_version=version):
            version = event["object"].metadata.resourceVersion
            say(event["type"], event["object"].metadata.name, version)
    except HTTPError as broken:
        # A connection that breaks off is the caller's to open again.
        print(broken, file=sys.stderr)
