// Which build the gateway serves, told by the name of its main script, which changes with its content.
const MAIN_SCRIPT = /<script[^>]+type="module"[^>]+src="([^"]+)"/

/** The main script of this page; null where there is none, as in development. */
export function ownVersion(): string | null {
  const { src } = document.querySelector<HTMLScriptElement>('script[type="module"][src*="/assets/"]') ?? {}
  return src ? new URL(src).pathname : null
}

/** The main script of the page as it is served now; null when it cannot be told. */
export async function servedVersion(): Promise<string | null> {
  try {
    const answer = await fetch('/index.html', { cache: 'no-cache', credentials: 'same-origin' })
    if (!answer.ok) return null
    return MAIN_SCRIPT.exec(await answer.text())?.[1] ?? null
  } catch {
    return null
  }
}
