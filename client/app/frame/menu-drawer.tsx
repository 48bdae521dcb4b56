import type { ComponentType } from 'react'
import { Modal } from '../../ui/dialog/modal.tsx'
import type { ChooserProps } from './integrator-chooser.tsx'
import { Sidebar } from './sidebar.tsx'

interface MenuDrawerProps {
  chooser: ComponentType<ChooserProps> | null
  onClose: () => void
}

/** The navigation on a small screen. */
export default function MenuDrawer({ chooser, onClose }: MenuDrawerProps) {
  return (
    <Modal title="Menu" kind="drawer" onClose={onClose}>
      <Sidebar chooser={chooser} onLeave={onClose} />
    </Modal>
  )
}
