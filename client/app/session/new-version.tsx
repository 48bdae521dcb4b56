import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useEffect, useState } from 'react'
import useSWR from 'swr'
import { browser, listen } from '../../lib/browser.ts'

/** Minimum time between two checks. */
const CHECK_EVERY_MS = 15 * 60_000

/** Offers a reload after an update: an old page cannot load more parts from a new gateway. */
export function NewVersion() {
  const hasNewVersion = useNewVersion()
  return (
    <div role="status">
      {hasNewVersion && (
        <div className="notice info floating-strip">
          <RefreshCw />
          <span>There is a new version of the portal.</span>
          <button type="button" className="link-button" onClick={() => browser.reload()}>
            Reload
          </button>
        </div>
      )}
    </div>
  )
}

function useNewVersion(): boolean {
  const [ownScript] = useState(ownVersion)
  const { data: servedScript, mutate } = useSWR(ownScript && 'version', servedVersion, {
    refreshInterval: CHECK_EVERY_MS,
    focusThrottleInterval: CHECK_EVERY_MS,
    revalidateOnMount: false
  })
  // Vite could not load a part of the page.
  useEffect(() => listen(window, { 'vite:preloadError': () => void mutate() }), [mutate])
  return servedScript != null && servedScript !== ownScript
}

// The name of the main script changes with each build.
const MAIN_SCRIPT = /<script[^>]+type="module"[^>]+src="([^"]+)"/

/** The main script of this page; null in development. */
function ownVersion(): string | null {
  const { src } = document.querySelector<HTMLScriptElement>('script[type="module"][src*="/assets/"]') ?? {}
  return src ? new URL(src).pathname : null
}

/** The main script of the page that the gateway serves now; null if it is unknown. */
async function servedVersion(): Promise<string | null> {
  try {
    const answer = await fetch('/index.html', { cache: 'no-cache', credentials: 'same-origin' })
    if (!answer.ok) return null
    return MAIN_SCRIPT.exec(await answer.text())?.[1] ?? null
  } catch {
    return null
  }
}
