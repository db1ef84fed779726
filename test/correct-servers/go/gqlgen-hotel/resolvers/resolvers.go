// Package resolvers answers from memory.
package resolvers

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"time"

	"correct/gqlgen-hotel/date"
	"correct/gqlgen-hotel/graph"
)

var (
	hotels   []*graph.Hotel
	rooms    []*graph.Room
	bookings []*graph.Booking
)

func init() {
	for number := 1; number <= 6; number++ {
		hotel := &graph.Hotel{ID: fmt.Sprint("h", number), Name: fmt.Sprint("Hotel ", []string{"Post", "Krone", "Adler"}[number%3], " ", number),
			Stars:   int(2 + number%4),
			Address: &graph.Address{Street: fmt.Sprint("Main street ", number), City: []string{"Chur", "Davos"}[number%2]}}
		if number%2 == 0 {
			zip := fmt.Sprint(7000 + number)
			hotel.Address.Zip = &zip
		}
		hotels = append(hotels, hotel)
		for floor := 1; floor <= 4; floor++ {
			rooms = append(rooms, &graph.Room{ID: fmt.Sprintf("r%d%d", number, floor), Number: fmt.Sprint(floor, "0", number),
				Kind: graph.AllRoomKind[(number+floor)%3], Price: float64(90+number*floor*5) + 0.5, HotelID: hotel.ID})
		}
	}
	for number := range 50 {
		arrival := time.Date(2025, 7, 1+number*number%40, 0, 0, 0, 0, time.UTC)
		bookings = append(bookings, &graph.Booking{ID: fmt.Sprint("b", number+1), RoomID: rooms[number*5%len(rooms)].ID,
			Guest:   []string{"Alder", "Berg", "Caduff", "Denz", "Egli"}[number%5],
			Arrival: dateOf(arrival), Departure: dateOf(arrival.AddDate(0, 0, 1+number%6))})
	}
}

func dateOf(day time.Time) date.Date { return date.Date(day.Format(time.DateOnly)) }

// Resolver is the root.
type Resolver struct{}

type (
	hotelResolver   struct{}
	roomResolver    struct{}
	bookingResolver struct{}
	queryResolver   struct{}
)

func (Resolver) Hotel() graph.HotelResolver     { return hotelResolver{} }
func (Resolver) Room() graph.RoomResolver       { return roomResolver{} }
func (Resolver) Booking() graph.BookingResolver { return bookingResolver{} }
func (Resolver) Query() graph.QueryResolver     { return queryResolver{} }

func (hotelResolver) Rooms(_ context.Context, hotel *graph.Hotel, kind *graph.RoomKind, maxPrice *float64) ([]*graph.Room, error) {
	found := []*graph.Room{}
	for _, room := range rooms {
		if room.HotelID == hotel.ID && (kind == nil || room.Kind == *kind) && (maxPrice == nil || room.Price <= *maxPrice) {
			found = append(found, room)
		}
	}
	return found, nil
}

func (resolver hotelResolver) RoomCount(ctx context.Context, hotel *graph.Hotel) (int, error) {
	found, err := resolver.Rooms(ctx, hotel, nil, nil)
	return len(found), err
}

func (roomResolver) Hotel(ctx context.Context, room *graph.Room) (*graph.Hotel, error) {
	return queryResolver{}.Hotel(ctx, room.HotelID)
}

func (roomResolver) Bookings(_ context.Context, room *graph.Room, from *date.Date, to *date.Date) ([]*graph.Booking, error) {
	found := []*graph.Booking{}
	for _, booking := range bookings {
		if booking.RoomID == room.ID && (from == nil || booking.Arrival >= *from) && (to == nil || booking.Arrival <= *to) {
			found = append(found, booking)
		}
	}
	return found, nil
}

func (bookingResolver) Room(ctx context.Context, booking *graph.Booking) (*graph.Room, error) {
	return queryResolver{}.Room(ctx, booking.RoomID)
}

func (bookingResolver) Nights(_ context.Context, booking *graph.Booking) (int, error) {
	arrival, _ := time.Parse(time.DateOnly, string(booking.Arrival))
	departure, _ := time.Parse(time.DateOnly, string(booking.Departure))
	return int(departure.Sub(arrival).Hours() / 24), nil
}

func (queryResolver) Hotels(_ context.Context, minStars *int, city *string) ([]*graph.Hotel, error) {
	found := []*graph.Hotel{}
	for _, hotel := range hotels {
		if (minStars == nil || hotel.Stars >= *minStars) && (city == nil || hotel.Address.City == *city) {
			found = append(found, hotel)
		}
	}
	return found, nil
}

func (queryResolver) Hotel(_ context.Context, id string) (*graph.Hotel, error) {
	for _, hotel := range hotels {
		if hotel.ID == id {
			return hotel, nil
		}
	}
	return nil, nil
}

func (queryResolver) Room(_ context.Context, id string) (*graph.Room, error) {
	for _, room := range rooms {
		if room.ID == id {
			return room, nil
		}
	}
	return nil, nil
}

func chosen(filter *graph.BookingFilter) []*graph.Booking {
	found := []*graph.Booking{}
	for _, booking := range bookings {
		if filter != nil && (filter.Guest != nil && !strings.EqualFold(booking.Guest, *filter.Guest) ||
			filter.ArrivalFrom != nil && booking.Arrival < *filter.ArrivalFrom ||
			filter.ArrivalTo != nil && booking.Arrival > *filter.ArrivalTo) {
			continue
		}
		found = append(found, booking)
	}
	return found
}

func (queryResolver) Bookings(_ context.Context, filter *graph.BookingFilter, orderBy graph.BookingOrder, offset int, limit int) ([]*graph.Booking, error) {
	if offset < 0 || limit < 0 || limit > 100 {
		return nil, fmt.Errorf("offset is from 0, limit from 0 to 100")
	}
	found := chosen(filter)
	sort.SliceStable(found, func(a, b int) bool {
		if orderBy == graph.BookingOrderArrivalDesc {
			return found[a].Arrival > found[b].Arrival
		}
		return found[a].Arrival < found[b].Arrival
	})
	start := min(offset, len(found))
	return found[start:min(start+limit, len(found))], nil
}

func (queryResolver) BookingCount(_ context.Context, filter *graph.BookingFilter) (int, error) {
	return len(chosen(filter)), nil
}

func (queryResolver) Booking(_ context.Context, id string) (*graph.Booking, error) {
	for _, booking := range bookings {
		if booking.ID == id {
			return booking, nil
		}
	}
	return nil, nil
}
