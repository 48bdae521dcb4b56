import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths } from '../../../lib/paths.ts'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { Combobox } from '../../../ui/input/combobox.tsx'

interface NewReportProps {
  /** Null while the customers load. */
  customers: readonly { id: string; orgName: string }[] | null
  organizationId: string | undefined
}

export function NewReport({ customers, organizationId }: NewReportProps) {
  const [isChoosing, setIsChoosing] = useState(false)
  const navigate = useNavigate()
  const [firstCustomer, ...others] = customers ?? []
  const startReport = (customerId: string) =>
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
          if (firstCustomer && others.length === 0) startReport(firstCustomer.id)
          else setIsChoosing(true)
        }}
      >
        <Plus />
        New report
      </button>
      {isChoosing && (
        <Modal title="New report" onClose={() => setIsChoosing(false)}>
          <div className="modal-body">
            <p className="modal-text">Choose a customer. The report shows its points.</p>
            <Combobox
              label="Customer"
              placeholder="Search customers"
              options={(customers ?? []).map(({ id, orgName: name }) => ({ id, name }))}
              chosen={null}
              emptyText="No customer has this name."
              onChoose={({ id }) => startReport(id)}
            />
          </div>
        </Modal>
      )}
    </>
  )
}
