// Whether somebody is at this tab. Calls that the page makes by itself must not keep a session alive.
const INPUTS = ['pointerdown', 'keydown', 'wheel', 'touchstart', 'input'] as const
/** A person who reads does nothing for a while; what they load meanwhile is still theirs. */
const QUIET_MS = 60_000

/** Opening a page is something that somebody did. */
let lastMs = performance.now()

for (const type of INPUTS) {
  window.addEventListener(
    type,
    () => {
      lastMs = performance.now()
    },
    { capture: true, passive: true }
  )
}

export function isQuiet(): boolean {
  return performance.now() - lastMs > QUIET_MS
}
