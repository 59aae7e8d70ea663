"use strict";

// Changes with a session need its token; calls with a key do not.
async function withToken(request) {
  const isChange = !["GET", "HEAD"].includes((request.method || "GET").toUpperCase());
  const isOurs = new URL(request.url, window.location.href).origin === window.location.origin;
  if (isChange && isOurs && !request.headers.Authorization) {
    const session = await fetch("/api/v1/session");
    if (session.ok) {
      request.headers["X-CSRF-TOKEN"] = (await session.json()).csrf_token;
    }
  }
  return request;
}

window.SwaggerUIBundle({
  urls: [
    { name: "Control API", url: "/openapi/control-api.yaml" },
    { name: "Metrics API", url: "/openapi/metrics-api.yaml" },
    { name: "Prometheus API", url: "/openapi/prometheus-api.yaml" },
    { name: "Billing API", url: "/openapi/billing-api.yaml" },
  ],
  dom_id: "#documents",
  deepLinking: true,
  validatorUrl: null,
  queryConfigEnabled: false,
  persistAuthorization: false,
  requestInterceptor: withToken,
  presets: [window.SwaggerUIBundle.presets.apis, window.SwaggerUIStandalonePreset],
  layout: "StandaloneLayout",
  // Its list of servers has no name of its own.
  onComplete: () => document.getElementById("servers")?.setAttribute("aria-label", "Server"),
});
