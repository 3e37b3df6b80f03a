// Command reflector prints what a client-go reflector does to its store: reflector SERVER NAMESPACE.
package main

import (
	"context"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"io.watershed/clients/line"
)

// The reflector is its only caller.
type store struct{}

func (store) Add(object any) error    { say("ADDED", object); return nil }
func (store) Update(object any) error { say("MODIFIED", object); return nil }
func (store) Delete(object any) error { say("DELETED", object); return nil }
func (store) Resync() error           { return nil }

// Replace gets the objects that are there at the start, in no order.
func (store) Replace(objects []any, _ string) error {
	for _, object := range objects {
		say("ADDED", object)
	}
	return nil
}

func say(kind string, object any) {
	configMap := object.(*corev1.ConfigMap)
	line.Print(kind, configMap.Name, configMap.ResourceVersion)
}

func main() {
	clients := kubernetes.NewForConfigOrDie(&rest.Config{Host: os.Args[1]})
	source := cache.NewListWatchFromClient(clients.CoreV1().RESTClient(), "configmaps", os.Args[2], fields.Everything())
	cache.NewReflector(source, &corev1.ConfigMap{}, store{}, 0).RunWithContext(context.Background())
}
