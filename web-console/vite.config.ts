import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  base: "/console/",
  publicDir: "src/public",
  plugins: [react()],
  build: {
    target: "es2023",
    // Small images would become data: addresses; files keep the content security policy simple.
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": "http://localhost:8080", "/v2": "http://localhost:8080", "/auth": "http://localhost:8080" } },
  test: { environment: "jsdom", include: ["src/**/*.test.{ts,tsx}"], setupFiles: ["src/testing/setup.ts"], css: false, testTimeout: 60000 },
});
