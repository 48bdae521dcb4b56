import { useEffect, useState } from 'react'

/** Most answers are there before anybody wonders; a line that came and went would only cost them time. */
const WONDERED_MS = 150

/** A thin line along the upper edge of what is being reloaded. */
export function ProgressBar({ busy }: { busy: boolean }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!busy) return
    const timer = setTimeout(() => setLate(true), WONDERED_MS)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [busy])
  return <div className="progress-bar" data-busy={late || undefined} aria-hidden="true" />
}

interface SkeletonProps {
  width: string
  label?: string
}

/** A line of something to come; visible only when it takes longer than 300 ms. */
export function Skeleton({ width, label }: SkeletonProps) {
  return (
    <span className="skeleton" style={{ width }}>
      {label && <span className="sr-only">{label}</span>}
    </span>
  )
}
