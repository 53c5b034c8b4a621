/** A server with limits on time and size, which answers what is under way before it ends. */
export const SERVER = `// Command {{ project_name | kebab }} answers HTTP.
{%- if description != "" %}
//
// {{ description }}
{%- endif %}
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, net.JoinHostPort(env("HOST", "127.0.0.1"), env("PORT", "{{ port }}"))); err != nil {
		slog.Error("cannot serve", "error", err)
		os.Exit(1)
	}
}

// serve answers requests until the context ends, and then those that are under way.
func serve(ctx context.Context, address string) error {
	server := &http.Server{
		Addr:              address,
		Handler:           routes(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      10 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
	failed := make(chan error, 1)
	go func() {
		slog.Info("listening", "address", address)
		failed <- server.ListenAndServe()
	}()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if err := server.Shutdown(ending); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]string{"message": "Hello, world!"})
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]string{"status": "ok"})
	})
	return mux
}

func answer(w http.ResponseWriter, body map[string]string) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(body); err != nil {
		slog.Warn("cannot answer", "error", err)
	}
}

func env(name, fallback string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return fallback
}
`;

/** What can be said of it without a network. */
export const SERVER_TEST = `package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestRoutes(t *testing.T) {
	tests := map[string]struct {
		method, path string
		want         int
	}{
		"says that it is well":          {http.MethodGet, "/healthz", http.StatusOK},
		"refuses what it does not know": {http.MethodGet, "/nowhere", http.StatusNotFound},
		"refuses what it cannot do":     {http.MethodPost, "/healthz", http.StatusMethodNotAllowed},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			recorder := httptest.NewRecorder()
			routes().ServeHTTP(recorder, httptest.NewRequest(test.method, test.path, nil))
			if recorder.Code != test.want {
				t.Errorf("got %d, want %d", recorder.Code, test.want)
			}
		})
	}
}
`;
