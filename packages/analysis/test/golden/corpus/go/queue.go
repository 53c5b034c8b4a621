package queue

import (
	"context"
	"sync"
	"time"
)

type Job struct {
	Name     string
	Attempts int
	Run      func(context.Context) error
}

type Queue[T any] struct {
	mutex sync.Mutex
	items []T
	wake  chan struct{}
}

func (q *Queue[T]) Push(item T) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.items = append(q.items, item)
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *Queue[T]) Pop() (item T, ok bool) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if len(q.items) == 0 {
		return item, false
	}
	item, q.items = q.items[0], q.items[1:]
	return item, true
}

func (q *Queue[T]) Drain(ctx context.Context, take func(T) error) error {
	for {
		item, ok := q.Pop()
		if !ok {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-q.wake:
				continue
			}
		}
		if err := take(item); err != nil {
			return err
		}
	}
}

func (*Queue[T]) Kind() string {
	return "first in, first out"
}

func work(ctx context.Context, jobs <-chan Job, failed chan<- Job, workers int) {
	var group sync.WaitGroup
	for i := 0; i < workers; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for job := range jobs {
				if err := job.Run(ctx); err != nil {
					job.Attempts++
					failed <- job
				}
			}
		}()
	}
	group.Wait()
	close(failed)
}

func retry(ctx context.Context, job Job, most int) (err error) {
	wait := 10 * time.Millisecond
	for attempt := 0; attempt < most; attempt++ {
		if err = job.Run(ctx); err == nil {
			return nil
		}
		if ctx.Err() != nil {
			break
		}
		time.Sleep(wait)
		if wait *= 2; wait > time.Second {
			wait = time.Second
		}
	}
	return err
}

func merge[T any](ctx context.Context, left, right <-chan T) <-chan T {
	out := make(chan T)
	go func() {
		defer close(out)
		for left != nil || right != nil {
			select {
			case item, ok := <-left:
				if !ok {
					left = nil
					continue
				}
				out <- item
			case item, ok := <-right:
				if !ok {
					right = nil
					continue
				}
				out <- item
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func keep[T any](items []T, isWanted func(T) bool) []T {
	var kept []T
	for _, item := range items {
		if isWanted(item) {
			kept = append(kept, item)
		}
	}
	return kept
}

func safely(run func()) (isFine bool) {
	defer func() {
		if reason := recover(); reason != nil {
			isFine = false
		}
	}()
	run()
	return true
}

var always = func(Job) bool { return true }

var byName = func(one, other Job) int {
	if one.Name < other.Name {
		return -1
	}
	if one.Name > other.Name {
		return 1
	}
	return 0
}

var handlers = map[string]func(Job) string{
	"name": func(job Job) string { return job.Name },
	"state": func(job Job) string {
		if job.Attempts > 0 {
			return "tried"
		}
		return "new"
	},
}
