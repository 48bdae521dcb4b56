/** A thin line along the upper edge of what is being reloaded. */
export function ProgressBar({ busy }: { busy: boolean }) {
  return <div className="progress-bar" data-busy={busy || undefined} aria-hidden="true" />
}
