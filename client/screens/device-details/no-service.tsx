import Cpu from 'lucide-react/icons/cpu'
import { Panel } from '../../components/panel.tsx'

/** `reason` says since when, or that there never was a subscription. */
export function NoService({ reason }: { reason: string }) {
  return (
    <div className="card">
      <Panel icon={Cpu} title="Data Services is not active on this device">
        <p>{reason}.</p>
      </Panel>
    </div>
  )
}
