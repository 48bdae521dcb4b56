import './style.css'
import CircleCheck from 'lucide-react/icons/circle-check'
import { type ReactNode, useEffect, useRef } from 'react'
import { paths } from '../../../lib/paths.ts'
import { useTrail } from '../../../lib/session/use-trail.ts'
import { useUnsavedChanges } from '../../../ui/dialog/unsaved-changes.tsx'
import { FormActions } from '../../../ui/input/form-actions.tsx'
import { Facts } from '../../../ui/list/facts.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { useProjects } from '../customers/api.ts'
import { CodeField, LicenseChoice } from '../devices/dialogs/licenses.tsx'
import { LinkPanel } from './link-panel.tsx'
import { PlacementStep } from './placement-step.tsx'
import { type Registered, type RegistrationState, useRegistration, useStepFocus } from './use-registration.ts'

export default function RegisterDevicePage() {
  const registration = useRegistration()
  const { code, license, placement, done } = registration
  const trail = useTrail()
  const steps = useStepFocus(registration.opened)
  useUnsavedChanges(
    done === null && (code.whole || placement.deviceName !== '')
      ? { question: 'Leave without registering the device?' }
      : null
  )

  const title = <TitleBlock title="Register Device" crumbs={[...trail, { label: 'Register Device' }]} />
  if (done) return <DeviceRegistered title={title} done={done} onAnother={registration.another} />
  return (
    <>
      {title}
      <div className="stack registration" ref={steps}>
        <CodeStep code={code} />
        <section className="card stack" aria-labelledby="step-license">
          <h2 id="step-license">2. License</h2>
          {code.whole && !code.error ? (
            <LicenseChoice load={code.licenses} chosen={license} onChoose={registration.pick} />
          ) : (
            <p className="muted">Enter the whole code to see its licenses.</p>
          )}
        </section>
        <PlacementStep
          placement={placement}
          suggestion={license?.customerName ?? ''}
          onChange={registration.place}
        />
        <ReviewStep registration={registration} />
        <LinkPanel placement={placement} />
      </div>
    </>
  )
}

function CodeStep({ code: { code, error, leftMs, change } }: Pick<RegistrationState, 'code'>) {
  return (
    <section className="card stack" aria-labelledby="step-code">
      <h2 id="step-code">1. Code</h2>
      <CodeField code={code} leftMs={leftMs} error={error} onChange={change} />
    </section>
  )
}

function ReviewStep({ registration }: { registration: RegistrationState }) {
  const { code, license, placement, missing, busy, failure, submit } = registration
  const projects = useProjects(placement.customerId || null).data?.projects
  const project = projects?.find(({ id }) => id === placement.projectId)
  return (
    <section className="card stack" aria-labelledby="step-review">
      <h2 id="step-review">4. Review</h2>
      <Facts
        facts={[
          { name: 'Code', value: <span className="mono">{code.code || '–'}</span> },
          { name: 'License', value: license?.niagaraLicenseId ?? '–' },
          { name: 'Customer', value: placement.customerName || placement.customerId || '–' },
          { name: 'Project', value: project?.projectName ?? '–' },
          { name: 'Device', value: placement.deviceName || '–' },
          { name: 'Location', value: placement.location || '–' }
        ]}
      />
      {failure && (
        <p className="field-error" role="alert">
          {failure}
        </p>
      )}
      <FormActions
        label="Register"
        missing={missing.length > 0 ? `Still needed: ${missing.join(', ')}` : null}
        busy={busy}
        onSend={() => void submit()}
      />
    </section>
  )
}

interface DeviceRegisteredProps {
  title: ReactNode
  done: Registered
  onAnother: () => void
}

function DeviceRegistered({ title, done, onAnother }: DeviceRegisteredProps) {
  const heading = useRef<HTMLDivElement>(null)
  useEffect(() => heading.current?.querySelector('h1')?.focus(), [])
  return (
    <div ref={heading}>
      {title}
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
        <p>The device is in its project. Its data appears when it connects.</p>
      </Panel>
    </div>
  )
}
