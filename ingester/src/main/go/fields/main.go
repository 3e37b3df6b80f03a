// Prints the table that the ingester decodes Kubernetes' protobuf with, from the published Go types; they alone say which fields are
// pointers and when JSON shows a zero. For a newer Kubernetes raise the versions in go.mod and run:
//
//	go run . > ../../resources/io/watershed/ingest/transcode/fields.tsv
package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strings"

	admission "k8s.io/api/admission/v1"
	admissionbeta "k8s.io/api/admission/v1beta1"
	discovery "k8s.io/api/apidiscovery/v2"
	discoverybeta "k8s.io/api/apidiscovery/v2beta1"
	imagepolicy "k8s.io/api/imagepolicy/v1alpha1"
	crd "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdbeta "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	apiservice "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

type message interface{ Marshal() ([]byte, error) }

var (
	messageType = reflect.TypeOf((*message)(nil)).Elem()
	jsonType    = reflect.TypeOf((*json.Marshaler)(nil)).Elem()
	shortened   = strings.NewReplacer(
		"k8s.io/apimachinery/pkg/apis/", "", "k8s.io/apimachinery/pkg/", "",
		"k8s.io/apiextensions-apiserver/pkg/apis/", "", "k8s.io/kube-aggregator/pkg/apis/", "",
		"k8s.io/api/", "")
	seen  = map[string]bool{}
	lines []string
)

func isMessage(t reflect.Type) bool { return reflect.PointerTo(t).Implements(messageType) }

func name(t reflect.Type) string {
	return strings.ReplaceAll(shortened.Replace(t.PkgPath()), "/", ".") + "." + t.Name()
}

// typeAndShape names the elements of a field and what holds them.
func typeAndShape(t reflect.Type) (string, string) {
	shape := "value"
	if t.Kind() == reflect.Pointer {
		t, shape = t.Elem(), "pointer"
	}
	bytes := t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
	switch {
	case isMessage(t) && t.Kind() == reflect.Slice:
		t, shape = t.Elem(), "wrapped-list"
	case t.Kind() == reflect.Slice && !bytes:
		t, shape = t.Elem(), "list"
	case t.Kind() == reflect.Map:
		t, shape = t.Elem(), "map<"+t.Key().Kind().String()+">"
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.Struct:
		return name(t), shape
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return "bytes", shape
	case t.Kind() == reflect.Slice && isMessage(t):
		return "wrapped-list-of-" + t.Elem().Kind().String(), shape
	}
	return t.Kind().String(), shape
}

func jsonName(f reflect.StructField) (string, string) {
	options := strings.Split(f.Tag.Get("json"), ",")
	shown, inline := "always", f.Anonymous && options[0] == ""
	for _, option := range options[1:] {
		inline = inline || option == "inline"
		if option == "omitzero" || option == "omitempty" && shown == "always" {
			shown = option
		}
	}
	if inline {
		return "(inline)", shown
	}
	return options[0], shown
}

func walk(t reflect.Type) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[name(t)] {
		return
	}
	seen[name(t)] = true
	if t.Implements(jsonType) || reflect.PointerTo(t).Implements(jsonType) {
		lines = append(lines, name(t)+"\t-\t-\t-\t-\tspecial")
		return
	}
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		tag := strings.Split(f.Tag.Get("protobuf"), ",")
		if len(tag) < 2 {
			continue
		}
		element, shape := typeAndShape(f.Type)
		member, shown := jsonName(f)
		lines = append(lines, strings.Join([]string{name(t), member, tag[1], element, shape, shown}, "\t"))
		walk(f.Type)
	}
}

func main() {
	s := scheme.Scheme
	for _, add := range []func(*runtime.Scheme) error{admission.AddToScheme, admissionbeta.AddToScheme, discovery.AddToScheme,
		discoverybeta.AddToScheme, imagepolicy.AddToScheme, crd.AddToScheme, crdbeta.AddToScheme, apiservice.AddToScheme} {
		if err := add(s); err != nil {
			panic(err)
		}
	}
	var kinds []string
	for kind, t := range s.AllKnownTypes() {
		// Every group registers meta/v1's kinds, as ListOptions, for itself.
		repeated := t.PkgPath() == "k8s.io/apimachinery/pkg/apis/meta/v1" && kind.GroupVersion().String() != "v1"
		if kind.Version == runtime.APIVersionInternal || strings.HasSuffix(kind.Kind, "List") || repeated || !isMessage(t) {
			continue
		}
		walk(t)
		kinds = append(kinds, fmt.Sprintf("kind\t%s\t%s\t%s", kind.GroupVersion(), kind.Kind, name(t)))
	}
	sort.Strings(kinds)
	sort.Strings(lines)
	fmt.Println("# Kubernetes 1.37. Made by src/main/go/fields. Kinds: apiVersion, kind, message; then fields: message, JSON name, number, type, shape, when JSON shows it")
	fmt.Println(strings.Join(append(kinds, lines...), "\n"))
}
