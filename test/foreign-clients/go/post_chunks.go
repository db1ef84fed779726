// Posts a chunked body with net/http and prints the response.
//
// Arguments: URL, megabytes.
// Output: {"status": 413, "body": "..."}
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
)

func main() {
	megabytes, err := strconv.Atoi(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	// Without its length, net/http sends the body in chunks.
	body := io.MultiReader(bytes.NewReader(bytes.Repeat([]byte(" "), megabytes<<20)))
	response, err := http.Post(os.Args[1], "application/json", body)
	if err != nil {
		log.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	line, err := json.Marshal(map[string]any{"status": response.StatusCode, "body": string(text)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(line))
}
