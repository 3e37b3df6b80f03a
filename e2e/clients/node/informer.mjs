// Prints what an informer tells, a JSON line each: node informer.mjs SERVER NAMESPACE
import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';

const [server, namespace] = process.argv.slice(2);
const config = new KubeConfig();
// Without skipTLSVerify it refuses http.
config.loadFromClusterAndUser({ name: 'gateway', server, skipTLSVerify: true }, { name: 'anyone' });
const api = config.makeApiClient(CoreV1Api);
const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, () => api.listNamespacedConfigMap({ namespace }));
const say = (type) => (object) =>
  console.log(JSON.stringify({ type, name: object.metadata.name, resourceVersion: object.metadata.resourceVersion }));
informer.on('add', say('ADDED'));
informer.on('update', say('MODIFIED'));
informer.on('delete', say('DELETED'));
// After any error but 410 it stands still until it is started again.
informer.on('error', (error) => {
  console.error(error);
  setTimeout(() => informer.start(), 200);
});
informer.start();
