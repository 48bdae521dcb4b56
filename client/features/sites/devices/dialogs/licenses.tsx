// The registration code that a device shows, its time limit, and the choice among its licenses.
import './style.css'
import { useEffect, useState } from 'react'
import type { License } from '#shared/answers/management.ts'
import { isNotFound } from '../../../../lib/http/api-error.ts'
import type { QueryResult } from '../../../../lib/http/query.ts'
import { REGISTRATION_CODE_CHARACTERS, REGISTRATION_VALID_MS } from '../../../../lib/limits.ts'
import { registrationCode } from '../../../../lib/validation.ts'
import { ChoiceList } from '../../../../ui/input/choice-list.tsx'
import { TextField } from '../../../../ui/input/field.tsx'
import { Notice } from '../../../../ui/state/notice.tsx'
import { LICENSES } from '../messages.ts'
import { OFFERING_NAMES } from '../service-links/device-services.ts'

const VALID_MINUTES = REGISTRATION_VALID_MS / 60_000
const EXPIRED_TEXT = `The code has expired after ${VALID_MINUTES} minutes. Show a new code on the device.`

/** A registration code. Its time runs from the start of the registration, and again after an expired code is replaced. */
export function useRegistrationCode(initialCode = '') {
  const [code, setCode] = useState(() => registrationCode(initialCode))
  const { leftMs, restart } = useCountdown(REGISTRATION_VALID_MS)
  const isExpired = leftMs === 0
  function change(text: string) {
    setCode(registrationCode(text))
    if (isExpired) restart()
  }
  return { code, leftMs, isExpired, error: isExpired ? EXPIRED_TEXT : codeProblem(code), change, restart }
}

/** Why a registration code is invalid; null for a valid or incomplete code. */
function codeProblem(code: string): string | null {
  const isWrong = code.length > REGISTRATION_CODE_CHARACTERS || /[^A-Z0-9]/.test(code)
  return isWrong ? `A code has ${REGISTRATION_CODE_CHARACTERS} letters or digits.` : null
}

const TICK_MS = 1_000

/** A countdown that ignores changes of the system clock. */
function useCountdown(forMs: number) {
  const [startMs, setStartMs] = useState(() => performance.now())
  const [nowMs, setNow] = useState(startMs)
  const leftMs = Math.max(forMs - (nowMs - startMs), 0)
  const isOver = leftMs === 0
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(() => setNow(performance.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [isOver])
  return {
    leftMs,
    restart() {
      setStartMs(performance.now())
      setNow(performance.now())
    }
  }
}

interface CodeFieldProps {
  code: string
  leftMs: number
  error: string | null
  autoFocus?: boolean
  onChange: (text: string) => void
}

/** Seconds left at which a screen reader announces the time. */
const ANNOUNCED_SECONDS = [300, 60]

export function CodeField({ code, leftMs, ...field }: CodeFieldProps) {
  const seconds = Math.ceil(leftMs / 1000)
  const announcedSeconds = ANNOUNCED_SECONDS.find((at) => seconds <= at && seconds > at - 5)
  return (
    <div>
      <TextField
        {...field}
        label="Registration code"
        value={code}
        help={
          <>
            {REGISTRATION_CODE_CHARACTERS} characters, shown on the device's Cloud Connector page.{' '}
            {leftMs > 0 && <span aria-hidden="true">Valid for {clockOf(seconds)}.</span>}
          </>
        }
        className="mono code-input"
        required
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={24}
      />
      <p className="sr-only" role="status">
        {announcedSeconds !== undefined && `The code is valid for ${clockOf(announcedSeconds)} more minutes`}
      </p>
    </div>
  )
}

function clockOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

interface LicenseChoiceProps {
  load: QueryResult<License[]>
  chosen: License | undefined
  onChoose: (licenseId: string) => void
}

/** The chosen license, or the only license. */
export function licenseOf(licenses: readonly License[] = [], chosenId: string): License | undefined {
  return licenses.length === 1 ? licenses[0] : licenses.find(({ licenseId }) => licenseId === chosenId)
}

/** A choice among the licenses of a complete registration code. */
export function LicenseChoice({ load, chosen, onChoose }: LicenseChoiceProps) {
  const { data: licenses, error, refetch } = load
  if (!licenses && error !== undefined)
    return (
      <Notice tone="warn" action={{ label: 'Retry', onAct: refetch }}>
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
            <span className="row license-features">
              {customerName}
              {features?.subscriptions?.map(({ offeringCode }) => (
                <span key={offeringCode} className="badge plain">
                  {OFFERING_NAMES[offeringCode] ?? offeringCode}
                </span>
              ))}
            </span>
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
