// Hotels, rooms and bookings, with gqlgen.
package main

import (
	"net/http"
	"os"

	"correct/gqlgen-hotel/graph"
	"correct/gqlgen-hotel/resolvers"

	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/99designs/gqlgen/graphql/handler/transport"
)

func main() {
	server := handler.New(graph.NewExecutableSchema(graph.Config{Resolvers: resolvers.Resolver{}}))
	server.AddTransport(transport.Options{})
	server.AddTransport(transport.GET{})
	server.AddTransport(transport.POST{})
	server.Use(extension.Introspection{})
	http.Handle("/query", server)
	if err := http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil); err != nil {
		panic(err)
	}
}
