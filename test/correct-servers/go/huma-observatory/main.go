// Stars and the nights in which an observatory looked at them, with huma.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"sort"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

type Position struct {
	RightAscension float64 `json:"rightAscension" minimum:"0" maximum:"24" doc:"Hours"`
	Declination    float64 `json:"declination" minimum:"-90" maximum:"90" doc:"Degrees"`
}

type Star struct {
	ID        int       `json:"id"`
	Name      string    `json:"name"`
	Kind      string    `json:"kind" enum:"dwarf,giant,variable"`
	Magnitude float64   `json:"magnitude"`
	Position  Position  `json:"position"`
	Found     time.Time `json:"found" format:"date-time"`
	Names     []string  `json:"names" doc:"Names in other catalogues" nullable:"false"`
	Period    *float64  `json:"period,omitempty" doc:"Days between two maxima, variable stars only"`
}

type Night struct {
	Date         string         `json:"date" format:"date"`
	Clear        bool           `json:"clear"`
	Seeing       *float64       `json:"seeing" doc:"Arc seconds, null when nothing was measured"`
	Observations map[string]int `json:"observations" doc:"Exposures by the name of the star"`
}

var kinds = []string{"dwarf", "giant", "variable"}
var stars []Star
var nights []Night

func init() {
	for number := 1; number <= 33; number++ {
		star := Star{
			ID: number, Name: fmt.Sprintf("%s %d", []string{"Vela", "Lyra", "Cetus", "Hydra"}[number%4], number),
			Kind: kinds[number*2%3], Magnitude: float64(number*37%120)/10 - 1,
			Position: Position{float64(number*7%240) / 10, float64(number*11%180) - 90},
			Found:    time.Date(1900+number*3, time.Month(1+number%12), 1+number%28, 20, number, 0, 0, time.UTC),
			Names:    []string{},
		}
		if number%3 == 0 {
			star.Names = append(star.Names, fmt.Sprintf("HD %d", 1000+number))
		}
		if star.Kind == "variable" {
			period := float64(number) + 0.5
			star.Period = &period
		}
		stars = append(stars, star)
	}
	for day := range 25 {
		night := Night{Date: time.Date(2025, 1, 10+day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), Clear: day%3 != 0,
			Observations: map[string]int{}}
		if night.Clear {
			seeing := 0.8 + float64(day%7)/10
			night.Seeing = &seeing
			night.Observations[stars[day].Name] = 3 + day
			night.Observations[stars[day+3].Name] = 1
		}
		nights = append(nights, night)
	}
}

type StarsInput struct {
	Kind         []string  `query:"kind" enum:"dwarf,giant,variable" doc:"Only stars of these kinds"`
	MaxMagnitude float64   `query:"max_magnitude" default:"99" doc:"Only stars of at most this magnitude"`
	FoundSince   time.Time `query:"found_since" doc:"Found at this time or later"`
	Name         string    `query:"name" doc:"Start of the name"`
	Sort         string    `query:"sort" enum:"id,-id,magnitude,-magnitude" default:"id"`
	Limit        int       `query:"limit" minimum:"1" maximum:"100" default:"15"`
	Offset       int       `query:"offset" minimum:"0" default:"0"`
}

type StarsOutput struct {
	Link  string `header:"Link" doc:"The next page, RFC 8288"`
	Total int    `header:"X-Total-Count"`
	Body  []Star `nullable:"false"`
}

type StarOutput struct {
	ETag string `header:"ETag"`
	Body Star
}

type NightsOutput struct {
	Body struct {
		Nights []Night `json:"nights" nullable:"false"`
		Count  int     `json:"count" doc:"Number of nights in the list"`
		Clear  int     `json:"clear" doc:"How many of them were clear"`
	}
}

func main() {
	mux := http.NewServeMux()
	config := huma.DefaultConfig("Observatory", "1.3.0")
	config.DocsPath = ""
	api := humago.New(mux, config)

	huma.Register(api, huma.Operation{OperationID: "list-stars", Method: http.MethodGet, Path: "/stars"},
		func(_ context.Context, input *StarsInput) (*StarsOutput, error) {
			found := []Star{}
			for _, star := range stars {
				if len(input.Kind) > 0 && !contains(input.Kind, star.Kind) || star.Magnitude > input.MaxMagnitude ||
					star.Found.Before(input.FoundSince) || !strings.HasPrefix(star.Name, input.Name) {
					continue
				}
				found = append(found, star)
			}
			sort.SliceStable(found, func(a, b int) bool {
				switch input.Sort {
				case "-id":
					return found[a].ID > found[b].ID
				case "magnitude":
					return found[a].Magnitude < found[b].Magnitude
				case "-magnitude":
					return found[a].Magnitude > found[b].Magnitude
				}
				return found[a].ID < found[b].ID
			})
			output := &StarsOutput{Total: len(found)}
			start := min(input.Offset, len(found))
			end := min(start+input.Limit, len(found))
			output.Body = found[start:end]
			if end < len(found) {
				query := fmt.Sprintf("?limit=%d&offset=%d&sort=%s&max_magnitude=%g", input.Limit, end, input.Sort, input.MaxMagnitude)
				for _, kind := range input.Kind {
					query += "&kind=" + kind
				}
				if !input.FoundSince.IsZero() {
					query += "&found_since=" + input.FoundSince.UTC().Format(time.RFC3339Nano)
				}
				if input.Name != "" {
					query += "&name=" + strings.ReplaceAll(input.Name, " ", "%20")
				}
				output.Link = "</stars" + query + `>; rel="next"`
			}
			return output, nil
		})

	huma.Register(api, huma.Operation{OperationID: "get-star", Method: http.MethodGet, Path: "/stars/{id}",
		Errors: []int{http.StatusNotFound}},
		func(_ context.Context, input *struct {
			ID int `path:"id" minimum:"1"`
		}) (*StarOutput, error) {
			if input.ID > len(stars) {
				return nil, huma.Error404NotFound("no such star")
			}
			return &StarOutput{ETag: fmt.Sprintf(`"star-%d"`, input.ID), Body: stars[input.ID-1]}, nil
		})

	huma.Register(api, huma.Operation{OperationID: "list-nights", Method: http.MethodGet, Path: "/nights"},
		func(_ context.Context, input *struct {
			From  string `query:"from" format:"date" doc:"First night, inclusive"`
			To    string `query:"to" format:"date" doc:"Last night, inclusive"`
			Clear bool   `query:"clear_only" doc:"Leave out nights with clouds"`
		}) (*NightsOutput, error) {
			output := &NightsOutput{}
			output.Body.Nights = []Night{}
			for _, night := range nights {
				if input.From != "" && night.Date < input.From || input.To != "" && night.Date > input.To ||
					input.Clear && !night.Clear {
					continue
				}
				output.Body.Nights = append(output.Body.Nights, night)
				if night.Clear {
					output.Body.Clear++
				}
			}
			output.Body.Count = len(output.Body.Nights)
			return output, nil
		})

	huma.Register(api, huma.Operation{OperationID: "get-night", Method: http.MethodGet, Path: "/nights/{date}",
		Errors: []int{http.StatusNotFound}},
		func(_ context.Context, input *struct {
			Date string `path:"date" format:"date"`
		}) (*struct{ Body Night }, error) {
			for _, night := range nights {
				if night.Date == input.Date {
					return &struct{ Body Night }{night}, nil
				}
			}
			return nil, huma.Error404NotFound("no such night")
		})

	if err := http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), mux); err != nil {
		panic(err)
	}
}

func contains(list []string, value string) bool {
	for _, one := range list {
		if one == value {
			return true
		}
	}
	return false
}
