import { useEffect, useState } from 'react'

/** Delay before the bar shows. Most answers arrive earlier. */
const SHOWN_AFTER_MS = 150

export function ProgressBar({ busy }: { busy: boolean }) {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    if (!busy) return
    const timer = setTimeout(() => setIsLate(true), SHOWN_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setIsLate(false)
    }
  }, [busy])
  return <div className="progress-bar" data-busy={isLate || undefined} aria-hidden="true" />
}

/** A placeholder. The CSS shows it after 300 ms. */
export function Skeleton({ width, label }: { width: string; label?: string }) {
  return (
    <span className="skeleton" style={{ width }}>
      {label && <span className="sr-only">{label}</span>}
    </span>
  )
}
