import Ellipsis from 'lucide-react/icons/ellipsis'
import FolderInput from 'lucide-react/icons/folder-input'
import Trash from 'lucide-react/icons/trash-2'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Device } from '#shared/entities.ts'
import { MenuButton, type MenuItem } from '../../ui/input/menu-button.tsx'
import { useProjects } from '../customers/api.ts'
import { useCustomer } from '../customers/customer.ts'
import type { CustomerArea } from '../customers/use-customer-area.ts'
import { actionsOf, showDeleteDevice } from '../devices/device-actions.tsx'
import { CustomerScope } from '../projects/customer-scope.tsx'

interface DeviceMenuProps {
  area: CustomerArea
  device: Device
}

/** What can be done with the device of the page, by those who may; the same as in the list of devices. */
export default function DeviceMenu({ area, device }: DeviceMenuProps) {
  const { data } = useProjects(area.customerId)
  return (
    <CustomerScope customerId={area.customerId} list={data}>
      <Menu area={area} device={device} />
    </CustomerScope>
  )
}

function Menu({ area, device }: DeviceMenuProps) {
  const customer = useCustomer()
  const leave = useLeaving(
    device.projectId ? `${area.customerPath}?${projectQuery(device)}` : area.customerPath
  )
  const { may, showDialog } = customer
  const move: MenuItem = {
    label: 'Change Project',
    icon: <FolderInput />,
    onSelect: () =>
      showDialog(async (close) => {
        const { MoveDevices } = await import('../devices/dialogs/move-devices.tsx')
        return <MoveDevices devices={[device]} onMoved={() => {}} onClose={close} />
      })
  }
  const deletion: MenuItem = {
    label: 'Delete Device',
    icon: <Trash />,
    tone: 'danger',
    onSelect: () => showDeleteDevice(device, customer, leave)
  }
  const items = actionsOf(device, customer)
  if (may.moveDevice) items.splice(may.editDevice ? 1 : 0, 0, move)
  if (may.deleteDevice) items.push(deletion)
  return (
    <MenuButton label={`Actions for ${device.deviceName}`} className="button" items={items}>
      <Ellipsis />
      <span>
        Actions <span className="sr-only">for {device.deviceName}</span>
      </span>
    </MenuButton>
  )
}

const projectQuery = ({ projectId }: Device) => new URLSearchParams({ project: projectId ?? '' })

/** Leads away, and is done once this page has gone: nothing of it is read again. Does nothing where it has gone by then. */
function useLeaving(to: string): () => Promise<void> {
  const navigate = useNavigate()
  const here = useRef(true)
  const onGone = useRef(() => {})
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
      onGone.current()
    }
  }, [])
  return () =>
    new Promise((resolve) => {
      if (!here.current) return resolve()
      onGone.current = resolve
      void navigate(to, { replace: true })
    })
}
