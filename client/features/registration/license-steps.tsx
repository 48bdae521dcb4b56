import '../../ui/input/choice-list.css'
import { REGISTRATION_CODE_CHARACTERS } from '#shared/limits.ts'
import { LICENSES } from '#shared/messages.ts'
import { TextField } from '../../ui/input/field.tsx'
import { Skeleton } from '../../ui/state/loading.tsx'
import { Notice } from '../../ui/state/notice.tsx'
import { OFFERING_NAMES } from '../devices/service-links/device-services.ts'
import type { License } from './api.ts'

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

interface LicenseStepProps {
  ready: boolean
  licenses: License[] | undefined
  error: unknown
  busy: boolean
  chosen: string
  onChoose: (licenseId: string) => void
  onRetry: () => void
}

export function LicenseStep({ ready, licenses, error, busy, chosen, onChoose, onRetry }: LicenseStepProps) {
  return (
    <section className="card stack" aria-labelledby="step-license">
      <h2 id="step-license">2. License</h2>
      {!ready && <p className="muted">Enter the whole code to see its licenses.</p>}
      {ready && error !== undefined && (
        <Notice tone="warn" action={{ label: 'Retry', onAct: onRetry }}>
          {LICENSES.failed}
        </Notice>
      )}
      {ready && busy && !licenses && error === undefined && (
        <p role="status">
          <span className="sr-only">Looking up the licenses</span>
          <Skeleton width="16rem" />
        </p>
      )}
      {ready && licenses?.length === 0 && <Notice tone="warn">{LICENSES.none}</Notice>}
      {ready && licenses && licenses.length > 0 && (
        <fieldset className="choice-list">
          <legend className="sr-only">License</legend>
          {licenses.map((license) => (
            <label key={license.licenseId} className="choice">
              <input
                type="radio"
                name="license"
                value={license.licenseId}
                checked={license.licenseId === chosen}
                onChange={() => onChoose(license.licenseId)}
              />
              <span className="stacked">
                <strong>{license.niagaraLicenseId}</strong>
                <span className="muted">{license.customerName}</span>
              </span>
              <span className="row">
                {license.features?.subscriptions?.map(({ offeringCode }) => (
                  <span key={offeringCode} className="badge plain">
                    {OFFERING_NAMES[offeringCode] ?? offeringCode}
                  </span>
                ))}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <p className="sr-only" role="status">
        {ready && licenses?.length === 1 && `License ${licenses[0]?.niagaraLicenseId} selected`}
      </p>
    </section>
  )
}
