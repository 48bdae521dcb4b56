import LogOut from 'lucide-react/icons/log-out'
import { PublicPanel } from './public-panel.tsx'

export default function SignedOutPage() {
  return (
    <PublicPanel icon={LogOut} title="You signed out" action="Sign in">
      Your session has ended on this device.
    </PublicPanel>
  )
}
