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
