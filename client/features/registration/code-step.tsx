import { REGISTRATION_CODE_CHARACTERS } from '#shared/limits.ts'
import { TextField } from '../../ui/input/field.tsx'

interface CodeStepProps {
  code: string
  error: string | null
  leftMs: number
  onChange: (text: string) => void
}

/** Said aloud at these moments only. */
const SPOKEN_S = [300, 60, 0]

export function CodeStep({ code, error, leftMs, onChange }: CodeStepProps) {
  const seconds = Math.ceil(leftMs / 1000)
  const spoken = SPOKEN_S.find((at) => seconds <= at && seconds > at - 5)
  return (
    <section className="card step" aria-labelledby="step-code">
      <div className="step-head">
        <h2 id="step-code">1. Code</h2>
        {leftMs > 0 && (
          <span className="muted" aria-hidden="true">
            Valid for {clockOf(seconds)}
          </span>
        )}
      </div>
      <TextField
        label="Registration code"
        value={code}
        onChange={onChange}
        error={error}
        help={`${REGISTRATION_CODE_CHARACTERS} characters, shown on the device's Cloud Connector page.`}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        className="mono code-input"
        maxLength={24}
      />
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
