// Answers that were asked for while this code was on its way (client/early.ts). That script may also come later than this code:
// then it asks for nothing, as its answers would be older than what the page knows.
declare global {
  interface Window {
    /** By path; null where the page has asked for itself. */
    portalEarly?: Record<string, Promise<Response> | null>
  }
}

window.portalEarly ??= {}

/** What was not taken by then is of no use: it would be old. */
const KEPT_MS = 30_000

/** The answer to the first GET of that path; undefined where it was not asked for. */
export function takeEarly(path: string): Promise<Response> | undefined {
  const answers = window.portalEarly
  if (answers === undefined || performance.now() > KEPT_MS) return undefined
  const answer = answers[path]
  answers[path] = null
  return answer ?? undefined
}

/** What was asked for before a change is of no use after it. */
export function forgetEarly(): void {
  window.portalEarly = {}
}
