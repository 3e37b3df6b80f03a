#!/usr/bin/env python3
"""Prints an application's feature flags, and again after each change: flags.py http://127.0.0.1:8080 shop"""
import json, sys, urllib.request
url = "%s/apis/flags.example.com/v1/namespaces/%s/flags" % (sys.argv[1], sys.argv[2])
while True:  # a watch ends now and then, and with ERROR when it is too old: then list again
    listed = json.load(urllib.request.urlopen(url))
    flags = {flag["metadata"]["name"]: flag.get("enabled") for flag in listed["items"]}
    print(json.dumps(flags), flush=True)
    for line in urllib.request.urlopen(url + "?watch=1&resourceVersion=" + listed["metadata"]["resourceVersion"]):
        event = json.loads(line)
        if event["type"] == "ERROR": break
        flags[event["object"]["metadata"]["name"]] = event["type"] != "DELETED" and event["object"].get("enabled")
        print(json.dumps(flags), flush=True)
