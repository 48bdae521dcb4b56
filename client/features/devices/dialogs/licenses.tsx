// The registration code that a device shows, and the choice among its licenses.
import type { License } from '#shared/answers/management.ts'
import { REGISTRATION_CODE_CHARACTERS } from '#shared/limits.ts'
import { LICENSES } from '#shared/messages.ts'
import { isNotFound } from '../../../lib/http/api-error.ts'
import type { Load } from '../../../lib/http/query.ts'
import { ChoiceList } from '../../../ui/input/choice-list.tsx'
import { TextField } from '../../../ui/input/field.tsx'
import { Notice } from '../../../ui/state/notice.tsx'
import { OFFERING_NAMES } from '../service-links/device-services.ts'

/** Why a registration code is invalid; null for a valid or incomplete code. */
export function codeProblem(code: string): string | null {
  const isWrong = code.length > REGISTRATION_CODE_CHARACTERS || /[^A-Z0-9]/.test(code)
  return isWrong ? `A code has ${REGISTRATION_CODE_CHARACTERS} letters or digits.` : null
}

interface CodeFieldProps {
  code: string
  error: string | null
  /** Added to the help text. */
  note?: string
  autoFocus?: boolean
  onChange: (text: string) => void
}

export function CodeField({ code, note = '', ...field }: CodeFieldProps) {
  return (
    <TextField
      {...field}
      label="Registration code"
      value={code}
      help={`${REGISTRATION_CODE_CHARACTERS} characters, shown on the device's Cloud Connector page.${note}`}
      className="mono code-input"
      required
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={24}
    />
  )
}

interface LicenseChoiceProps {
  load: Load<License[]>
  chosen: License | undefined
  onChoose: (licenseId: string) => void
}

/** The chosen license, or the only license. */
export function licenseOf(licenses: readonly License[] = [], chosenId: string): License | undefined {
  return licenses.length === 1 ? licenses[0] : licenses.find(({ licenseId }) => licenseId === chosenId)
}

/** A choice among the licenses of a complete registration code. */
export function LicenseChoice({ load, chosen, onChoose }: LicenseChoiceProps) {
  const { data: licenses, error, reload } = load
  if (!licenses && error !== undefined)
    return (
      <Notice tone="warn" action={{ label: 'Retry', onAct: reload }}>
        {LICENSES.failed}
        {isNotFound(error) && ' The code may be unknown, used or expired.'}
      </Notice>
    )
  if (!licenses) return <p role="status">Looking for licenses…</p>
  if (licenses.length === 0) return <Notice tone="warn">{LICENSES.none}</Notice>
  return (
    <>
      <ChoiceList
        legend="License"
        choices={licenses.map(({ licenseId, niagaraLicenseId, customerName, features }) => ({
          value: licenseId,
          label: niagaraLicenseId,
          help: (
            <>
              {customerName}{' '}
              {features?.subscriptions?.map(({ offeringCode }) => (
                <span key={offeringCode} className="badge plain">
                  {OFFERING_NAMES[offeringCode] ?? offeringCode}
                </span>
              ))}
            </>
          )
        }))}
        chosen={chosen?.licenseId ?? null}
        onChoose={onChoose}
      />
      <p role="status" className="sr-only">
        {licenses.length === 1
          ? `The only license, ${licenses[0]?.niagaraLicenseId}, is selected.`
          : `${licenses.length} licenses found.`}
      </p>
    </>
  )
}
