import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { Modal } from '../../ui/dialog/modal.tsx'
import { Combobox } from '../../ui/input/combobox.tsx'

interface NewReportProps {
  /** Null while they load. */
  customers: readonly { id: string; orgName: string }[] | null
  organizationId: string | undefined
}

export function NewReport({ customers, organizationId }: NewReportProps) {
  const [choosing, setChoosing] = useState(false)
  const navigate = useNavigate()
  const [only, ...others] = customers ?? []
  const begin = (customerId: string) =>
    void navigate(`${paths.customer(customerId, organizationId)}/devicedetails/history`)
  return (
    <>
      <button
        type="button"
        className="button primary"
        aria-disabled={customers === null}
        title={customers === null ? 'The customers are not loaded yet' : undefined}
        onClick={() => {
          if (customers === null) return
          if (only && others.length === 0) begin(only.id)
          else setChoosing(true)
        }}
      >
        <Plus />
        New report
      </button>
      {choosing && (
        <Modal title="New report" onClose={() => setChoosing(false)}>
          <div className="modal-body tall">
            <p className="modal-text">Choose a customer. The report shows its points.</p>
            <Combobox
              label="Customer"
              placeholder="Search customers"
              options={(customers ?? []).map(({ id, orgName: name }) => ({ id, name }))}
              chosen={null}
              emptyText="No customer has this name."
              onChoose={({ id }) => begin(id)}
            />
          </div>
        </Modal>
      )}
    </>
  )
}
