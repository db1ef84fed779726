// Lines, stops and departures of a transit company, with huma.
package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/danielgtaylor/huma/v2/conditional"
)

type Stop struct {
	Code     string            `json:"code" pattern:"^[A-Z]{4}$" example:"AAAB"`
	Name     string            `json:"name"`
	Zone     int               `json:"zone" minimum:"1" maximum:"5"`
	Services map[string]bool   `json:"services,omitempty"`
	Names    map[string]string `json:"names" doc:"Name by language"`
	Opened   string            `json:"opened" format:"date"`
}

type Line struct {
	Number   string   `json:"number"`
	Mode     string   `json:"mode" enum:"bus,tram,ferry"`
	Stops    []string `json:"stops" nullable:"false" doc:"Codes in the order of the line"`
	Interval *int     `json:"interval" doc:"Minutes, null where there is no fixed one"`
}

type Departure struct {
	ID       string    `json:"id"`
	Line     string    `json:"line"`
	Stop     string    `json:"stop"`
	At       time.Time `json:"at"`
	Delay    int       `json:"delay" doc:"Seconds, negative when early"`
	Platform string    `json:"platform,omitempty"`
}

type DeparturePage struct {
	Items []Departure `json:"items" nullable:"false"`
	Next  string      `json:"next,omitempty" format:"uri-reference" doc:"Address of the next page"`
	Size  int         `json:"size" doc:"Number of departures of the page"`
}

var stops []Stop
var lines []Line
var departures []Departure
var modified = time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)

func init() {
	for number := range 17 {
		stop := Stop{Code: fmt.Sprintf("%c%cA%c", 'A'+number%3, 'A'+number/3, 'A'+number), Name: fmt.Sprintf("Stop %d", number), Zone: 1 + number%5,
			Names:  map[string]string{"en": fmt.Sprintf("Stop %d", number), "de": fmt.Sprintf("Halt %d", number)},
			Opened: time.Date(1990, 1, 1+number*400, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)}
		if number%3 != 0 {
			stop.Services = map[string]bool{"lift": number%2 == 0, "toilet": number%4 == 0}
		}
		stops = append(stops, stop)
	}
	for number := range 9 {
		line := Line{Number: strconv.Itoa(number + 1), Mode: []string{"bus", "tram", "ferry"}[number*2%3], Stops: []string{}}
		for place := range 3 + number%3 {
			line.Stops = append(line.Stops, stops[(number*2+place)%17].Code)
		}
		if line.Mode != "ferry" {
			interval := 5 + number
			line.Interval = &interval
		}
		lines = append(lines, line)
	}
	for number := range 75 {
		line := lines[number*5%9]
		departures = append(departures, Departure{ID: fmt.Sprintf("d%03d", number), Line: line.Number, Stop: line.Stops[number%len(line.Stops)],
			At: modified.Add(time.Duration(number*7) * time.Minute), Delay: number*31%240 - 40, Platform: []string{"", "1", "2"}[number%3]})
	}
}

func main() {
	mux := http.NewServeMux()
	config := huma.DefaultConfig("Transit", "4.0.0")
	config.DocsPath = ""
	api := humago.New(mux, config)

	huma.Get(api, "/lines", func(_ context.Context, input *struct {
		Mode string `query:"mode" enum:"bus,tram,ferry,any" default:"any"`
		Stop string `query:"stop" doc:"Lines that serve this stop"`
	}) (*struct {
		Body []Line `nullable:"false"`
	}, error) {
		found := []Line{}
		for _, line := range lines {
			if (input.Mode == "any" || line.Mode == input.Mode) && (input.Stop == "" || strings.Contains(strings.Join(line.Stops, ","), input.Stop)) {
				found = append(found, line)
			}
		}
		return &struct {
			Body []Line `nullable:"false"`
		}{found}, nil
	})

	huma.Register(api, huma.Operation{OperationID: "get-line", Method: http.MethodGet, Path: "/lines/{number}", Errors: []int{404}},
		func(_ context.Context, input *struct {
			Number string `path:"number" example:"3"`
			Expand bool   `query:"reverse" doc:"Stops in the other direction"`
		}) (*struct{ Body Line }, error) {
			for _, line := range lines {
				if line.Number != input.Number {
					continue
				}
				if input.Expand {
					reversed := []string{}
					for place := range line.Stops {
						reversed = append(reversed, line.Stops[len(line.Stops)-1-place])
					}
					line.Stops = reversed
				}
				return &struct{ Body Line }{line}, nil
			}
			return nil, huma.Error404NotFound("no such line")
		})

	huma.Register(api, huma.Operation{OperationID: "get-stop", Method: http.MethodGet, Path: "/stops/{code}", Errors: []int{304, 404, 412}},
		func(_ context.Context, input *struct {
			conditional.Params
			Code string `path:"code" pattern:"^[A-Z]{4}$" example:"AAAA"`
		}) (*struct {
			ETag         string    `header:"ETag"`
			LastModified time.Time `header:"Last-Modified"`
			Body         Stop
		}, error) {
			for _, stop := range stops {
				if stop.Code != input.Code {
					continue
				}
				if input.HasConditionalParams() {
					if err := input.PreconditionFailed("v-"+stop.Code, modified); err != nil {
						return nil, huma.ErrorWithHeaders(err, http.Header{"ETag": {`"v-` + stop.Code + `"`}})
					}
				}
				return &struct {
					ETag         string    `header:"ETag"`
					LastModified time.Time `header:"Last-Modified"`
					Body         Stop
				}{`"v-` + stop.Code + `"`, modified, stop}, nil
			}
			return nil, huma.Error404NotFound("no such stop")
		})

	huma.Get(api, "/stops", func(_ context.Context, input *struct {
		MaxZone     int    `query:"max_zone" minimum:"1" maximum:"5" default:"5"`
		OpenedAfter string `query:"opened_after" format:"date" doc:"Opened later than this day"`
		Prefix      string `query:"prefix" maxLength:"20" doc:"Start of the name"`
	}) (*struct {
		Body []Stop `nullable:"false"`
	}, error) {
		found := []Stop{}
		for _, stop := range stops {
			if stop.Zone <= input.MaxZone && stop.Opened > input.OpenedAfter && strings.HasPrefix(stop.Name, input.Prefix) {
				found = append(found, stop)
			}
		}
		return &struct {
			Body []Stop `nullable:"false"`
		}{found}, nil
	})

	huma.Register(api, huma.Operation{OperationID: "list-departures", Method: http.MethodGet, Path: "/departures"},
		func(_ context.Context, input *struct {
			Stop     string    `query:"stop"`
			Line     string    `query:"line"`
			From     time.Time `query:"from" doc:"Inclusive"`
			MinDelay int       `query:"min_delay" default:"-3600" doc:"Seconds"`
			PageSize int       `query:"page_size" minimum:"1" maximum:"50" default:"20"`
			Cursor   string    `query:"cursor" doc:"Of the next page, as next has it"`
		}) (*struct{ Body DeparturePage }, error) {
			start := 0
			if input.Cursor != "" {
				text, err := base64.RawURLEncoding.DecodeString(input.Cursor)
				number, wrong := strconv.Atoi(strings.TrimPrefix(string(text), "after:"))
				if err != nil || wrong != nil || number < 0 || number > len(departures) {
					return nil, huma.Error422UnprocessableEntity("not a cursor")
				}
				start = number
			}
			page := DeparturePage{Items: []Departure{}}
			for place := start; place < len(departures); place++ {
				one := departures[place]
				if input.Stop != "" && one.Stop != input.Stop || input.Line != "" && one.Line != input.Line ||
					one.At.Before(input.From) || one.Delay < input.MinDelay {
					continue
				}
				if len(page.Items) == input.PageSize {
					next := base64.RawURLEncoding.EncodeToString([]byte(fmt.Sprintf("after:%d", place)))
					page.Next = fmt.Sprintf("/departures?page_size=%d&min_delay=%d&cursor=%s", input.PageSize, input.MinDelay, next)
					if input.Stop != "" {
						page.Next += "&stop=" + input.Stop
					}
					if input.Line != "" {
						page.Next += "&line=" + input.Line
					}
					if !input.From.IsZero() {
						page.Next += "&from=" + input.From.UTC().Format(time.RFC3339Nano)
					}
					break
				}
				page.Items = append(page.Items, one)
			}
			page.Size = len(page.Items)
			return &struct{ Body DeparturePage }{page}, nil
		})

	if err := http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), mux); err != nil {
		panic(err)
	}
}
