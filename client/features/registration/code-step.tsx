import { CodeField } from '../devices/licenses.tsx'

interface CodeStepProps {
  code: string
  error: string | null
  leftMs: number
  onChange: (text: string) => void
}

/** Seconds left at which a screen reader announces the time. */
const SPOKEN_S = [300, 60, 0]

export function CodeStep({ code, error, leftMs, onChange }: CodeStepProps) {
  const seconds = Math.ceil(leftMs / 1000)
  const spoken = SPOKEN_S.find((at) => seconds <= at && seconds > at - 5)
  return (
    <section className="card stack" aria-labelledby="step-code">
      <div className="row spread">
        <h2 id="step-code">1. Code</h2>
        {leftMs > 0 && (
          <span className="muted" aria-hidden="true">
            Valid for {clockOf(seconds)}
          </span>
        )}
      </div>
      <CodeField code={code} error={error} onChange={onChange} />
      <p className="sr-only" role="status">
        {spoken !== undefined &&
          (spoken === 0 ? '' : `The code is valid for ${clockOf(spoken)} more minutes`)}
      </p>
    </section>
  )
}

function clockOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
