// Reads the data that the gateway put into the page (server/http/page.ts). Each part is used once, while it is fresh.

const FRESH_MS = 30_000

// These calls take the browser's preloaded answers and send nothing.
const preloads = new Map(
  [...document.querySelectorAll<HTMLLinkElement>('link[rel="preload"][as="fetch"]')]
    .filter(({ media }) => media === '' || window.matchMedia(media).matches)
    .map((link) => link.getAttribute('href') ?? '')
    .map((path) => [path, fetch(path).catch(() => null)])
)

/** The preloaded answer to a GET, if it succeeded. */
export async function takePreload(path: string): Promise<Response | null> {
  const answer = preloads.get(path)
  preloads.delete(path)
  if (answer === undefined || performance.now() > FRESH_MS) return null
  const response = await answer
  return response?.ok ? response : null
}

/** Call after a change, when preloaded answers may be out of date. */
export function forgetPreloads(): void {
  preloads.clear()
}

/** The data of a script element; null if it is missing or already taken. */
export function takeData<T>(id: string): T | null {
  const element = document.getElementById(id)
  element?.remove()
  return element === null ? null : JSON.parse(element.textContent)
}
