// Command controllercache prints what an informer of a controller-runtime cache tells: controllercache SERVER NAMESPACE.
package main

import (
	"context"
	"log"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"

	"io.watershed/clients/line"
)

func say(kind string, object any) {
	configMap := object.(*corev1.ConfigMap)
	line.Print(kind, configMap.Name, configMap.ResourceVersion)
}

func main() {
	ctx := context.Background()
	objects, err := cache.New(&rest.Config{Host: os.Args[1]}, cache.Options{
		DefaultNamespaces: map[string]cache.Config{os.Args[2]: {}},
	})
	if err != nil {
		log.Fatal(err)
	}
	informer, err := objects.GetInformer(ctx, &corev1.ConfigMap{}, cache.BlockUntilSynced(false))
	if err != nil {
		log.Fatal(err)
	}
	_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { say("ADDED", object) },
		UpdateFunc: func(_, object any) { say("MODIFIED", object) },
		DeleteFunc: func(object any) { say("DELETED", object) },
	})
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(objects.Start(ctx))
}
