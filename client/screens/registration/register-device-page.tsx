import '../../style/records.css'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { REGISTRATION_VALID_MS } from '#shared/limits.ts'
import * as rules from '#shared/validation.ts'
import { ApiError, failureOf, isNotFound } from '../../api/api-error.ts'
import { register, useLicenses } from '../../api/registration.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { Facts } from '../../components/card-list.tsx'
import { Panel } from '../../components/panel.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { TitleBlock } from '../../components/title-block.tsx'
import { placementOf } from '../../lib/registration-link.ts'
import { paths } from '../../paths.ts'
import { useUnsavedChanges } from '../../session/unsaved-changes.tsx'
import { useTrail } from '../../session/use-trail.ts'
import { CodeStep } from './code-step.tsx'
import { LicenseStep } from './license-step.tsx'
import { LinkPanel } from './link-panel.tsx'
import { PlacementStep } from './placement-step.tsx'
import { useCountdown } from './use-countdown.ts'

const EXPIRED =
  'The code has expired: it is valid for 15 minutes. Have the device show a new one; the rest stays.'
const UNKNOWN = 'This code is not known, was used already or has expired. Have the device show a new one.'

interface Done {
  deviceName: string
  deviceUuid: string
  customerId: string
}

export default function RegisterDevicePage() {
  const [query] = useSearchParams()
  const [code, setCode] = useState(() => rules.registrationCode(query.get('user_code') ?? ''))
  const [placement, setPlacement] = useState(() => placementOf(query))
  const [picked, setPicked] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [codeProblem, setCodeProblem] = useState<string | null>(null)
  const [done, setDone] = useState<Done | null>(null)
  const clock = useCountdown(REGISTRATION_VALID_MS)
  const whole = rules.isRegistrationCode(code)
  const expired = clock.leftMs <= 0
  const licenses = useLicenses(expired || codeProblem ? '' : code)
  const refresh = useRefresh()
  const trail = useTrail()
  const steps = useRef<HTMLDivElement>(null)

  const offered = licenses.data ?? []
  const license =
    offered.find(({ licenseId }) => licenseId === picked) ?? (offered.length === 1 ? offered[0] : undefined)
  const placed =
    placement.customerId !== '' &&
    placement.projectId !== '' &&
    filled(placement.deviceName, rules.deviceName) &&
    filled(placement.location, rules.location)
  const codeError = codeProblem ?? (expired ? EXPIRED : isNotFound(licenses.error) ? UNKNOWN : null)
  const missing = [
    (!whole || codeError) && 'the code',
    !license && 'a licence',
    placement.customerId === '' && 'a customer',
    placement.projectId === '' && 'a project',
    !filled(placement.deviceName, rules.deviceName) && 'a device name',
    !filled(placement.location, rules.location) && 'a location'
  ].filter((one): one is string => typeof one === 'string')

  useUnsavedChanges(done === null && (whole || placement.deviceName !== '') ? {} : null)

  // The next step opens once the one before is done; who came by keyboard is led there.
  const opened = (license ? 1 : 0) + (license && placed ? 1 : 0)
  const shown = useRef(opened)
  useEffect(() => {
    if (opened === 1 && shown.current === 0)
      steps.current?.querySelector<HTMLElement>('#step-placement')?.focus()
    shown.current = opened
  }, [opened])

  async function submit() {
    if (missing.length > 0 || busy || !license) return
    setBusy(true)
    setFailure(null)
    try {
      const { deviceUuid } = await register({
        userCode: code,
        licenseId: license.licenseId,
        customerId: placement.customerId,
        projectId: placement.projectId,
        deviceName: placement.deviceName.trim(),
        location: placement.location.trim()
      })
      await refresh(`/api/portal/v1/customers/${encodeURIComponent(placement.customerId)}`)
      setDone({ deviceName: placement.deviceName.trim(), deviceUuid, customerId: placement.customerId })
    } catch (error) {
      if (isNotFound(error)) setCodeProblem(UNKNOWN)
      else setFailure(refusalOf(error))
    } finally {
      setBusy(false)
    }
  }

  function another() {
    setDone(null)
    setCode('')
    setPicked('')
    setCodeProblem(null)
    setPlacement((before) => ({ ...before, deviceName: '' }))
    clock.restart()
  }

  if (done) return <Registered done={done} onAnother={another} />
  return (
    <>
      <TitleBlock title="Register Device" crumbs={[...trail, { label: 'Register Device' }]} />
      <div className="registration" ref={steps}>
        <CodeStep
          code={code}
          error={codeError}
          leftMs={clock.leftMs}
          onChange={(text) => {
            const next = rules.registrationCode(text)
            if (next === code) return
            setCode(next)
            setPicked('')
            setCodeProblem(null)
            if (expired) clock.restart()
          }}
        />
        <LicenseStep
          ready={whole && !codeError}
          licenses={licenses.data}
          error={isNotFound(licenses.error) ? undefined : licenses.error}
          busy={licenses.busy}
          chosen={license?.licenseId ?? ''}
          onChoose={setPicked}
          onRetry={licenses.reload}
        />
        <PlacementStep
          placement={placement}
          suggestion={license?.customerName ?? ''}
          onChange={(change) => setPlacement((before) => ({ ...before, ...change }))}
        />
        <section className="card step" aria-labelledby="step-review">
          <h2 id="step-review">4. Review</h2>
          <Facts
            facts={[
              { name: 'Code', value: <span className="mono">{code || '–'}</span> },
              { name: 'Licence', value: license?.niagaraLicenseId ?? '–' },
              { name: 'Customer', value: placement.customerName || placement.customerId || '–' },
              { name: 'Device', value: placement.deviceName || '–' },
              { name: 'Location', value: placement.location || '–' }
            ]}
          />
          {failure && (
            <p className="field-error" role="alert">
              {failure}
            </p>
          )}
          <div className="modal-actions">
            {missing.length > 0 && (
              <span id="register-missing" className="muted actions-note">
                Still needed: {missing.join(', ')}
              </span>
            )}
            <button
              type="button"
              className="button primary"
              aria-disabled={missing.length > 0 || busy}
              aria-describedby={missing.length > 0 ? 'register-missing' : undefined}
              aria-busy={busy}
              onClick={() => void submit()}
            >
              Register
            </button>
          </div>
        </section>
        <LinkPanel placement={placement} />
      </div>
    </>
  )
}

function filled(text: string, rule: rules.Rule): boolean {
  return text.trim() !== '' && rule(text) === null
}

function refusalOf(error: unknown): string {
  if (error instanceof ApiError && error.status === 409)
    return `${failureOf(error).text} The licence or the code may have been taken meanwhile: choose again.`
  return failureOf(error).text
}

function Registered({ done, onAnother }: { done: Done; onAnother: () => void }) {
  const heading = useRef<HTMLDivElement>(null)
  useEffect(() => heading.current?.querySelector('h1')?.focus(), [])
  return (
    <div ref={heading}>
      <TitleBlock title="Register Device" />
      <Panel
        icon={CircleCheck}
        title={`${done.deviceName} is registered`}
        actions={
          <>
            <PrefetchLink
              to={paths.device(paths.customer(done.customerId), done.deviceUuid)}
              className="button primary"
            >
              Open device
            </PrefetchLink>
            <button type="button" className="button" onClick={onAnother}>
              Register another
            </button>
          </>
        }
      >
        <p>It shows in its project at once. Data follow when the device connects.</p>
      </Panel>
    </div>
  )
}
