import { browserZone, chooseZone } from '../../lib/time/time.ts'
import { Modal } from '../../ui/dialog/modal.tsx'
import { ZoneChoice } from '../../ui/input/zone-choice.tsx'

export function ZoneDialog({ zone, onClose }: { zone: string; onClose: () => void }) {
  return (
    <Modal title="Time zone" onClose={onClose}>
      <div className="modal-body zone-dialog">
        <p className="modal-text">All times of the portal show in it, and days begin and end by it.</p>
        <ZoneChoice
          zone={zone}
          onZone={(next) => {
            chooseZone(next === browserZone() ? null : next)
            onClose()
          }}
        />
      </div>
    </Modal>
  )
}
