import './style.css'
import '../../../ui/input/choice-list.css'
import { useEffect, useState } from 'react'
import type { Device } from '#shared/entities.ts'
import { REGISTRATION_CODE_CHARACTERS, REGISTRATION_VALID_MS } from '#shared/limits.ts'
import { LICENSES, REREGISTRATION } from '#shared/messages.ts'
import { isRegistrationCode, registrationCode } from '#shared/validation.ts'
import { useOnReconnect } from '../../../lib/browser.ts'
import { isAbort, isNotFound } from '../../../lib/http/api-error.ts'
import { useCustomerRefresh } from '../../../lib/http/query.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useUnsavedChanges } from '../../../ui/dialog/unsaved-changes.tsx'
import { TextField } from '../../../ui/input/field.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import { useCustomer } from '../../customers/customer.ts'
import { fetchLicenses, type License, reregisterDevice } from '../api.ts'
import { OFFERING_NAMES } from '../service-links/device-services.ts'

const VALID_MINUTES = REGISTRATION_VALID_MS / 60_000

interface ReregisterDeviceProps {
  device: Device
  onClose: () => void
}

/** A code, then one of its licenses, then Done. */
export function ReregisterDevice({ device, onClose }: ReregisterDeviceProps) {
  const { customerId } = useCustomer()
  const refresh = useCustomerRefresh(customerId)
  const [code, setCode] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const { answer, retry } = useLicenses(code, device.deviceUuid, customerId)
  const licenses = answer.state === 'fulfilled' ? answer.licenses : []
  const selected =
    licenses.length === 1 ? licenses[0] : licenses.find(({ licenseId }) => licenseId === chosen)
  useUnsavedChanges(code === '' ? null : {})

  async function register() {
    if (!selected) return
    const { licenseId } = selected
    await reregisterDevice({ userCode: code, deviceUuid: device.deviceUuid, licenseId }, customerId)
    onClose()
    toasts.ok(REREGISTRATION.done)
    void refresh()
  }

  return (
    <FormDialog
      title="Re-registration"
      saveLabel="Done"
      ready={selected !== undefined}
      edited={code !== ''}
      enter
      onSave={register}
      onClose={onClose}
      failureText={() => (
        <>
          <strong>{REREGISTRATION.failed.title}</strong> {REREGISTRATION.failed.text}
        </>
      )}
    >
      <p className="modal-text">
        <span>
          Register <strong>{device.deviceName}</strong> anew, for instance after its controller was replaced.
        </span>
      </p>
      <TextField
        label="Registration code"
        value={code}
        onChange={(text) => {
          setCode(registrationCode(text))
          setChosen(null)
        }}
        error={codeError(code)}
        help={`${REGISTRATION_CODE_CHARACTERS} characters, shown on the device's Cloud Connector page. Valid for ${VALID_MINUTES} minutes.`}
        className="mono code-input"
        autoFocus
        required
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <LicenseChoice answer={answer} selected={selected} onChoose={setChosen} onRetry={retry} />
    </FormDialog>
  )
}

type Licenses =
  | { state: 'idle' }
  | { state: 'pending' }
  | { state: 'rejected'; error: unknown }
  | { state: 'fulfilled'; licenses: License[] }

/** Looks up the licenses of a complete code. Typing on cancels the look-up before. */
function useLicenses(code: string, deviceUuid: string, customerId: string) {
  const [answer, setAnswer] = useState<Licenses>({ state: 'idle' })
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt looks the same code up again
  useEffect(() => {
    if (!isRegistrationCode(code)) return setAnswer({ state: 'idle' })
    const controller = new AbortController()
    setAnswer({ state: 'pending' })
    fetchLicenses(code, deviceUuid, customerId, controller.signal).then(
      (licenses) => controller.signal.aborted || setAnswer({ state: 'fulfilled', licenses }),
      (error) => isAbort(error) || controller.signal.aborted || setAnswer({ state: 'rejected', error })
    )
    return () => controller.abort()
  }, [code, deviceUuid, customerId, attempt])

  const retry = () => setAttempt(attempt + 1)
  useOnReconnect(answer.state === 'rejected', retry)
  return { answer, retry }
}

function codeError(code: string): string | null {
  if (code.length > REGISTRATION_CODE_CHARACTERS)
    return `A code has ${REGISTRATION_CODE_CHARACTERS} characters.`
  if (code.length === REGISTRATION_CODE_CHARACTERS && !isRegistrationCode(code))
    return 'A code has letters and digits only.'
  return null
}

interface LicenseChoiceProps {
  answer: Licenses
  selected: License | undefined
  onChoose: (licenseId: string) => void
  onRetry: () => void
}

function LicenseChoice({ answer, selected, onChoose, onRetry }: LicenseChoiceProps) {
  if (answer.state === 'idle') return null
  if (answer.state === 'pending') return <p role="status">Looking for licenses…</p>
  if (answer.state === 'rejected') {
    return (
      <div className="notice warn" role="alert">
        <span>
          {LICENSES.failed}
          {isNotFound(answer.error) && ' The code may be unknown, used or expired.'}
        </span>
        <button type="button" className="link-button" onClick={onRetry}>
          Retry
        </button>
      </div>
    )
  }
  if (answer.licenses.length === 0) {
    return (
      <p className="notice warn" role="alert">
        <span>{LICENSES.none}</span>
      </p>
    )
  }
  const single = answer.licenses.length === 1
  return (
    <fieldset className="choice-list">
      <legend>License</legend>
      {answer.licenses.map((license) => (
        <label key={license.licenseId} className="choice">
          <input
            type="radio"
            name="license"
            checked={license === selected}
            onChange={() => onChoose(license.licenseId)}
          />
          <span>
            <span className="mono">{license.niagaraLicenseId}</span>
            <small>{license.customerName}</small>
            <span className="row">
              {license.features.subscriptions.map(({ offeringCode }) => (
                <span key={offeringCode} className="badge plain">
                  {OFFERING_NAMES[offeringCode] ?? offeringCode}
                </span>
              ))}
            </span>
          </span>
        </label>
      ))}
      <p role="status" className="sr-only">
        {single
          ? `The only license, ${selected?.niagaraLicenseId}, is selected.`
          : `${answer.licenses.length} licenses found.`}
      </p>
    </fieldset>
  )
}
