# The rules of the demonstration: every reason that applies.
package desk

import rego.v1

reasons contains "STOPPED" if input.stopped

reasons contains "NOT_DELIVERED" if not input.delivered

reasons contains "OUTSIDE_WINDOW" if input.age > 2592000

reasons contains "FINAL_SALE" if input.final_sale

reasons contains "DISPUTED" if input.disputed

reasons contains "REFUND_LIMIT" if input.prior_refunds >= 2

reasons contains "ALREADY_REFUNDED" if input.captured <= input.refunded

reasons contains "RESERVED_ELSEWHERE" if input.held_elsewhere

reasons contains "RESERVED_ELSEWHERE" if {
	input.captured > input.refunded
	input.captured - input.refunded <= input.reserved
}

reasons contains "REJECTED" if input.rejected

reasons contains "TICKET_CLOSED" if input.stage in {"escalated", "resolved"}

reasons contains "NOT_TRIAGED" if input.stage == "new"
