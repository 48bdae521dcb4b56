import Ellipsis from 'lucide-react/icons/ellipsis'
import FolderInput from 'lucide-react/icons/folder-input'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Device } from '#shared/answers/customers.ts'
import { Dialogs, showLazyDialog } from '../../ui/dialog/dialogs.tsx'
import { MenuButton, type MenuItem } from '../../ui/input/menu-button.tsx'
import { useCustomer } from '../sites/customers/customer.tsx'
import { actionsOf, loadDeviceDialogs } from '../sites/devices/device-actions.tsx'

/** The actions of the device list, and “Change Project”. */
export function DeviceMenu({ device }: { device: Device }) {
  const area = useCustomer()
  const leave = useLeaving(
    device.projectId ? `${area.customerPath}?${projectQuery(device)}` : area.customerPath
  )
  const move: MenuItem = {
    label: 'Change Project',
    icon: <FolderInput />,
    onSelect: () =>
      showLazyDialog(loadDeviceDialogs, ({ MoveDevices }, close) => (
        <MoveDevices devices={[device]} onMoved={() => {}} onClose={close} />
      ))
  }
  const items = actionsOf(device, area, leave)
  if (area.can('devices:move')) items.splice(area.can('devices:edit') ? 1 : 0, 0, move)
  return (
    <>
      <MenuButton
        label={`Actions for ${device.deviceName}`}
        className="button"
        items={items.map((item) => ({ ...item, inline: false }))}
      >
        <Ellipsis />
        <span>
          Actions <span className="sr-only">for {device.deviceName}</span>
        </span>
      </MenuButton>
      <Dialogs />
    </>
  )
}

const projectQuery = ({ projectId }: Device) => new URLSearchParams({ project: projectId ?? '' })

/** Navigates to `to`. Resolves after this page has unmounted, so that its data are not loaded again. */
function useLeaving(to: string): () => Promise<void> {
  const navigate = useNavigate()
  const isMounted = useRef(true)
  const onUnmount = useRef(() => {})
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
      onUnmount.current()
    }
  }, [])
  return () =>
    new Promise((resolve) => {
      if (!isMounted.current) return resolve()
      onUnmount.current = resolve
      void navigate(to, { replace: true })
    })
}
