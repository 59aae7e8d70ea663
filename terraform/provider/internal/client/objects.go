package client

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"sync"
)

// Path gives the values of a path's parameters.
type Path = map[string]string

// Get reads an object and its version.
func Get[T any](ctx context.Context, c *Client, operation Operation, path Path) (T, string, error) {
	var object T
	meta, err := c.Call(ctx, Request{Operation: operation, Path: path}, &object)
	return object, meta.ETag, err
}

// Create makes an object, once, however often the request has to be repeated.
func Create[T any](ctx context.Context, c *Client, operation Operation, path Path, body any) (T, Meta, error) {
	var object T
	meta, err := c.Call(ctx, Request{Operation: operation, Path: path, Body: body, IdempotencyKey: NewIdempotencyKey()}, &object)
	c.lists.forget()
	return object, meta, err
}

// Change sends a PATCH, a PUT or an action that is meant for the version etag.
func Change[T any](ctx context.Context, c *Client, operation Operation, path Path, etag string, body any) (T, string, error) {
	var object T
	meta, err := c.Call(ctx, Request{Operation: operation, Path: path, Body: body, IfMatch: etag}, &object)
	c.lists.forget()
	return object, meta.ETag, err
}

// Remove ends an object. That there is none is no error.
func Remove(ctx context.Context, c *Client, operation Operation, path Path) error {
	_, err := c.Call(ctx, Request{Operation: operation, Path: path}, nil)
	c.lists.forget()
	if IsNotFound(err) {
		return nil
	}
	return err
}

// List reads all pages of a list.
func List[T any](ctx context.Context, c *Client, operation Operation, path Path) ([]T, error) {
	objects := []T{}
	query := url.Values{"limit": {"200"}}
	for {
		var page struct {
			Data []T      `json:"data"`
			Meta PageMeta `json:"meta"`
		}
		if _, err := c.Call(ctx, Request{Operation: operation, Path: path, Query: query}, &page); err != nil {
			return nil, err
		}
		objects = append(objects, page.Data...)
		if page.Meta.NextCursor == nil || *page.Meta.NextCursor == "" {
			return objects, nil
		}
		query.Set("cursor", *page.Meta.NextCursor)
	}
}

// singly is how many objects of a list are read one by one before the whole list is read instead.
const singly = 8

// lists holds lists that were read in place of their objects. Any change forgets them, but for those of before: what was
// there when the program started.
type lists struct {
	mutex   sync.Mutex
	entries map[string]*list
	before  map[string]*list
}

type list struct {
	mutex sync.Mutex
	asked int
	// objects is a map of the objects by id; nil before the list was read.
	objects any
}

func (l *lists) of(key string) *list {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return entry(&l.entries, key)
}

func (l *lists) ofBefore(key string) *list {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return entry(&l.before, key)
}

func entry(entries *map[string]*list, key string) *list {
	if *entries == nil {
		*entries = map[string]*list{}
	}
	found, known := (*entries)[key]
	if !known {
		found = &list{}
		(*entries)[key] = found
	}
	return found
}

func (l *lists) forget() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.entries = nil
}

// Find reads an object that a list holds too. The first few are read one by one, with their version; then the list is read
// once and answers for the others, without a version: a refresh of hundreds of objects takes a handful of requests.
func Find[T any](ctx context.Context, c *Client, get Operation, path Path, listing Operation, id func(T) string, wanted string) (T, string, error) {
	around := without(path, lastParameter(get.Path))
	entry := c.lists.of(key(listing, around))
	entry.mutex.Lock()
	entry.asked++
	if entry.asked <= singly && entry.objects == nil {
		entry.mutex.Unlock()
		return Get[T](ctx, c, get, path)
	}
	entry.mutex.Unlock()
	object, err := Listed(ctx, c, listing, around, id, wanted)
	return object, "", err
}

// Listed finds an object in its list, which is read once until something changes.
func Listed[T any](ctx context.Context, c *Client, listing Operation, path Path, id func(T) string, wanted string) (T, error) {
	return in(ctx, c, c.lists.of(key(listing, path)), listing, path, id, wanted)
}

// ListedBefore finds an object in its list as it was when it was first read. It is for questions that the API asks again
// itself: making a thousand objects must not read their list a thousand times.
func ListedBefore[T any](ctx context.Context, c *Client, listing Operation, path Path, id func(T) string, wanted string) (T, error) {
	return in(ctx, c, c.lists.ofBefore(key(listing, path)), listing, path, id, wanted)
}

func in[T any](ctx context.Context, c *Client, entry *list, listing Operation, path Path, id func(T) string, wanted string) (T, error) {
	entry.mutex.Lock()
	defer entry.mutex.Unlock()
	objects, read := entry.objects.(map[string]T)
	if !read {
		found, err := List[T](ctx, c, listing, path)
		// What the list belongs to may not be there yet.
		if err != nil && !IsNotFound(err) {
			var none T
			return none, err
		}
		objects = make(map[string]T, len(found))
		for _, each := range found {
			objects[id(each)] = each
		}
		entry.objects = objects
	}
	object, found := objects[wanted]
	if !found {
		return object, NotFound("There is no " + wanted + ".")
	}
	return object, nil
}

// NotFound is the refusal of an object that is not there.
func NotFound(detail string) error {
	return &Refusal{Problem: Problem{Code: "not_found", Status: 404, Detail: detail, Title: "There is nothing."}}
}

// key names a list.
func key(listing Operation, path Path) string {
	names := slices.Sorted(maps.Keys(path))
	text := listing.Path
	for _, name := range names {
		text += "|" + name + "=" + path[name]
	}
	return text
}

func lastParameter(path string) string {
	end := len(path) - 1
	start := end
	for start > 0 && path[start] != '{' {
		start--
	}
	return path[start+1 : end]
}

func without(path Path, name string) Path {
	rest := Path{}
	for key, value := range path {
		if key != name {
			rest[key] = value
		}
	}
	return rest
}
