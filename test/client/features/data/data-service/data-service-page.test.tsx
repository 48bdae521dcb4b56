// The search for points across devices.
import '../../../../support/client/dom.ts'
import { fireEvent } from '@testing-library/react'
import t from 'tap'
import { customer, DEVICES } from '../../../../support/client/customer.ts'
import { problem } from '../../../../support/client/gateway.ts'
import { pointPage } from '../../../../support/client/points.ts'
import { openPortal } from '../../../../support/client/portal.tsx'

const HERE = '/customers/9/dataservice?devices=uuid-1'
const ENTITY_MODEL = '/api/v1/entitymodel/customers/9'

for (const type of ['tagColours', 'toString'])
  t.test(`a search of the unknown kind ${type} is refused; “Refresh” resets the search`, async (t) => {
    const portal = openPortal(t, `${HERE}&terms=temp&in=${type}&asked=1`, {
      ...customer().answers,
      [`${DEVICES}/uuid-1/usage`]: problem(404),
      [`${ENTITY_MODEL}/pointNames`]: pointPage([]),
      [`${ENTITY_MODEL}/tagNames`]: pointPage([]),
      [`${ENTITY_MODEL}/tagValues`]: pointPage([])
    })
    await portal.findByRole('heading', { name: 'Something went wrong' })
    t.equal(portal.callsTo(`${ENTITY_MODEL}/pointNames`).length, 0)
    t.notOk(portal.queryByText(/^Searched in/))
    fireEvent.click(portal.getByRole('button', { name: 'Refresh' }))
    t.equal(portal.address(), `${HERE}&terms=temp&asked=1`)
    await portal.findByRole('region', { name: 'Results' })
  })
