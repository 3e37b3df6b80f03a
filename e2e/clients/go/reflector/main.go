// Command reflector prints what a client-go reflector does to its store: reflector SERVER NAMESPACE.
package main

import (
	"context"
	"os"
	"slices"
	"strings"

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

// Replace gets the initial objects, in no order.
func (store) Replace(objects []any, _ string) error {
	slices.SortFunc(objects, func(a, b any) int {
		return strings.Compare(a.(*corev1.ConfigMap).Name, b.(*corev1.ConfigMap).Name)
	})
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
