import { LICENSES } from '#shared/messages.ts'
import { Skeleton } from '../../ui/state/loading.tsx'
import { Notice } from '../../ui/state/notice.tsx'
import { OFFERING_NAMES } from '../devices/service-links/device-services.ts'
import type { License } from './api.ts'

interface LicenseStepProps {
  /** Whether there is a code to look up. */
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
    <section className="card step" aria-labelledby="step-license">
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
        <fieldset className="license-list">
          <legend className="sr-only">License</legend>
          {licenses.map((license) => (
            <label key={license.licenseId} className="license">
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
              <span className="license-features">
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
