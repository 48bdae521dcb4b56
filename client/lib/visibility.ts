/** Whether somebody looks at this tab, as far as a browser knows. */
export const isSeen = (): boolean => !document.hidden

export function followVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
