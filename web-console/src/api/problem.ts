/** A request that was refused or could not be answered, in the words of whichever API said so. */
export class Problem extends Error {
  readonly status: number;
  readonly title: string;
  readonly code: string;
  readonly detail: string;
  readonly nextStep: string;
  readonly id: string;
  readonly faults: readonly string[];
  readonly retryAfterSeconds: number | undefined;

  constructor(fields: {
    status: number;
    code: string;
    title: string;
    detail: string;
    nextStep?: string;
    id?: string;
    faults?: readonly string[];
    retryAfterSeconds?: number | undefined;
  }) {
    super(fields.title);
    this.name = "Problem";
    this.status = fields.status;
    this.title = fields.title;
    this.code = fields.code;
    this.detail = fields.detail;
    this.nextStep = fields.nextStep ?? "";
    this.id = fields.id ?? "";
    this.faults = fields.faults ?? [];
    this.retryAfterSeconds = fields.retryAfterSeconds;
  }
}

const TITLES: Record<number, string> = {
  400: "The request was not understood",
  401: "Nobody is signed in",
  403: "Not allowed",
  404: "Not found",
  409: "It cannot be done now",
  412: "It was changed meanwhile",
  422: "Not valid",
  429: "Too many requests",
  502: "A store did not answer",
  503: "Not available now",
  504: "It took too long",
};

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Reads problem details of the control API, and the error list of the Metrics API. */
export function problemOf(status: number, body: unknown, retryAfter: string | null): Problem {
  const seconds = retryAfter === null ? NaN : Number.parseInt(retryAfter, 10);
  const retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
  // What the API says of it is written for scripts: it tells of keys.
  if (status === 401) return new Problem({ status, code: "signed_out", title: TITLES[401] ?? "", detail: "Your session is over.", nextStep: "Sign in again; what you typed stays." });
  const title = TITLES[status] ?? (status >= 500 ? "The server failed" : "The request was refused");
  if (typeof body === "object" && body !== null) {
    const fields = body as Record<string, unknown>;
    const errors = Array.isArray(fields["errors"]) ? (fields["errors"] as Record<string, unknown>[]) : [];
    const first = errors[0];
    if (typeof fields["code"] === "string") {
      return new Problem({
        status,
        code: fields["code"],
        title: text(fields["title"]) || title,
        detail: text(fields["detail"]),
        nextStep: text(fields["next_step"]),
        id: text(fields["instance"]).replace("urn:uuid:", ""),
        faults: errors.map((each) => text(each["detail"])).filter((each) => each !== text(fields["detail"])),
        retryAfterSeconds,
      });
    }
    if (first !== undefined && typeof first["code"] === "string") {
      return new Problem({
        status,
        code: first["code"],
        title,
        detail: text(first["detail"]),
        id: text(first["id"]),
        faults: errors.slice(1).map((each) => text(each["detail"])),
        retryAfterSeconds,
      });
    }
  }
  return new Problem({ status, code: "unexpected_answer", title, detail: `The server answered with status ${status} and no reason.`, retryAfterSeconds });
}

/** An answer began and did not end, or is not of the API: a proxy or the network is at fault. */
export function cutOff(): Problem {
  return new Problem({ status: 502, code: "cut_off", title: "The answer was cut off", detail: "The server began to answer, and the rest did not come.", nextStep: "What you see stays. It is tried again by itself." });
}

/** The server took the request, and its answer does not come. */
export function stalled(): Problem {
  return new Problem({
    status: 0,
    code: "stalled",
    title: "The server does not answer",
    detail: "It took the request, and no answer came in time.",
    nextStep: "What you see and typed stays. If it was a change, look whether it was made before you try again.",
  });
}

/** The network, not the server, is what failed. */
export function unreachable(): Problem {
  return new Problem({
    status: 0,
    code: "unreachable",
    title: "The server cannot be reached",
    detail: "The network is down, or the server is restarting.",
    nextStep: "What you see stays. It is tried again by itself.",
  });
}
