import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { Combobox } from '../../components/combobox.tsx'
import { Modal } from '../../components/modal.tsx'
import { paths } from '../../paths.ts'

interface NewReportProps {
  customers: readonly { id: string; orgName: string }[]
  organizationId: string | undefined
}

/** A report begins with a chart of a customer's points. */
export function NewReport({ customers, organizationId }: NewReportProps) {
  const [choosing, setChoosing] = useState(false)
  const navigate = useNavigate()
  const [only, ...others] = customers
  const begin = (customerId: string) =>
    void navigate(`${paths.customer(customerId, organizationId)}/devicedetails/history`)
  return (
    <>
      <button
        type="button"
        className="button primary"
        onClick={() => (only && others.length === 0 ? begin(only.id) : setChoosing(true))}
      >
        <Plus />
        New report
      </button>
      {choosing && (
        <Modal title="New report" onClose={() => setChoosing(false)}>
          <div className="modal-body new-report">
            <p className="modal-text">Choose the customer whose points it shows.</p>
            <Combobox
              label="Customer"
              placeholder="Search customers"
              options={customers.map(({ id, orgName: name }) => ({ id, name }))}
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
