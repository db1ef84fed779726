// Package date has the scalar of calendar days.
package date

import (
	"fmt"
	"io"
	"strconv"
	"time"
)

// Date is a day such as 2025-01-31.
type Date string

// UnmarshalGQL reads a variable or literal.
func (date *Date) UnmarshalGQL(value any) error {
	text, isText := value.(string)
	if _, err := time.Parse(time.DateOnly, text); !isText || err != nil {
		return fmt.Errorf("not a date: %v", value)
	}
	*date = Date(text)
	return nil
}

// MarshalGQL writes it.
func (date Date) MarshalGQL(writer io.Writer) {
	io.WriteString(writer, strconv.Quote(string(date)))
}
