import MonitorOff from 'lucide-react/icons/monitor-off'
import { useParams } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { SupportContact } from '../../ui/state/error-panel.tsx'
import { LonePanel } from '../../ui/state/panel.tsx'

interface Reason {
  title: string
  text: string
}

/** Keyed by the error code of the Remote host. */
const REASONS: Record<string, Reason> = {
  offline: {
    title: 'The device cannot be reached',
    text: 'It is not connected right now. Check its network connection, then try again.'
  },
  notLicensed: {
    title: 'Remote is not active on this device',
    text: 'The device has no Remote subscription, or it has expired. Ask your integrator to renew it.'
  },
  denied: {
    title: 'Remote access was refused',
    text: 'Your roles do not include remote access to this device. Ask your administrator for it.'
  },
  timeout: {
    title: 'The device did not answer in time',
    text: 'It may be busy or have a slow connection. Try again in a minute.'
  }
}
const OTHER: Reason = {
  title: 'The remote connection did not work',
  text: 'Something went wrong between the Remote service and the device. Try again.'
}

export default function RemoteErrorPage() {
  const { error = '', '*': rest = '' } = useParams()
  const code = [error, rest].filter(Boolean).join('/')
  const reason = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined
  const { title, text } = reason ?? OTHER
  return (
    <LonePanel icon={MonitorOff} title={title}>
      <p>{text}</p>
      {!reason && code && <p className="lone-path mono">{code}</p>}
      <p className="muted">
        Nothing was changed on the device. You can close this tab, or go on in the portal.
      </p>
      <SupportContact lead="Support:" />
      <PrefetchLink to={paths.home} className="button primary">
        Home
      </PrefetchLink>
    </LonePanel>
  )
}
