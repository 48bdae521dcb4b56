import { useEffect, useState } from 'react'

/** Most answers arrive earlier and show no bar. */
const SHOWN_AFTER_MS = 150

export function ProgressBar({ busy }: { busy: boolean }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!busy) return
    const timer = setTimeout(() => setLate(true), SHOWN_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [busy])
  return <div className="progress-bar" data-busy={late || undefined} aria-hidden="true" />
}

/** A placeholder that shows after 300 ms. */
export function Skeleton({ width, label }: { width: string; label?: string }) {
  return (
    <span className="skeleton" style={{ width }}>
      {label && <span className="sr-only">{label}</span>}
    </span>
  )
}
