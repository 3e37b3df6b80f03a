// Prints the addresses of a service's instances in one zone after each change: node instances.mjs http://127.0.0.1:8080 web eu-1
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
const [gateway, service, zone] = process.argv.slice(2);
const url = `${gateway}/apis/registry.example.com/v1/namespaces/${service}/instances?watch=1&fieldSelector=zone%3D${zone}`;
for (;;) { // a watch from no revision begins with what is there; it ends now and then
  const addresses = new Map(), watch = await fetch(url);
  for await (const line of createInterface({ input: Readable.fromWeb(watch.body) })) {
    const { type, object } = JSON.parse(line);
    if (type === "ERROR") break;
    if (type === "DELETED") addresses.delete(object.metadata.name);
    else addresses.set(object.metadata.name, object.address);
    console.log(...addresses.values());
  }
}
