-- Amounts are minor units, times are milliseconds since 1970 UTC, truth is 0 or 1.
-- Text that people or agents wrote is a BLOB: it may hold any character, also U+0000.

-- The whole desk, one row.
CREATE TABLE desk (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  stopped BIGINT NOT NULL,
  rules BIGINT NOT NULL
);
INSERT INTO desk (id, stopped, rules) VALUES (1, 0, 0);

CREATE TABLE rules (
  version BIGINT PRIMARY KEY,
  text TEXT NOT NULL,
  at BIGINT NOT NULL
);

CREATE TABLE setting (
  name TEXT PRIMARY KEY,
  value BLOB NOT NULL
) WITHOUT ROWID;

-- epoch: a number of its own for each making of the workspace, so that what was before a reset can be told apart.
-- changed_at: by the machine's clock, for other processes; used_at: by the desk's, for idle days.
CREATE TABLE workspace (
  id TEXT PRIMARY KEY,
  seq BIGINT NOT NULL,
  epoch BIGINT NOT NULL,
  stopped BIGINT NOT NULL,
  last_ticket BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  used_at BIGINT NOT NULL,
  changed_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX workspace_changed ON workspace (changed_at);
CREATE INDEX workspace_used ON workspace (used_at);

CREATE TABLE payment (
  workspace TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  currency TEXT NOT NULL,
  captured BIGINT NOT NULL,
  refunded BIGINT NOT NULL,
  reserved BIGINT NOT NULL,
  PRIMARY KEY (workspace, id),
  CONSTRAINT payment_never_above_captured CHECK (refunded + reserved <= captured),
  CONSTRAINT payment_never_negative CHECK (refunded >= 0 AND reserved >= 0)
) WITHOUT ROWID;

CREATE TABLE orders (
  workspace TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  customer TEXT NOT NULL,
  payment TEXT NOT NULL,
  purchased_at BIGINT NOT NULL,
  delivered_at BIGINT,
  confirmed_at BIGINT,
  final_sale BIGINT NOT NULL,
  dispute TEXT,
  prior_refunds BIGINT NOT NULL,
  version BIGINT NOT NULL,
  PRIMARY KEY (workspace, id)
) WITHOUT ROWID;

CREATE TABLE ticket (
  workspace TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  order_id TEXT,
  stage TEXT NOT NULL,
  received_at BIGINT NOT NULL,
  version BIGINT NOT NULL,
  rejected_order BIGINT,
  rejected_ticket BIGINT,
  PRIMARY KEY (workspace, id)
) WITHOUT ROWID;

CREATE TABLE conversation (
  workspace TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  ticket TEXT NOT NULL,
  subject BLOB NOT NULL,
  customer BLOB NOT NULL,
  category TEXT,
  summary BLOB,
  escalation BLOB,
  PRIMARY KEY (workspace, ticket)
);

CREATE TABLE message (
  workspace TEXT NOT NULL,
  ticket TEXT NOT NULL,
  n BIGINT NOT NULL,
  author TEXT NOT NULL,
  at BIGINT NOT NULL,
  text BLOB NOT NULL,
  PRIMARY KEY (workspace, ticket, n),
  FOREIGN KEY (workspace, ticket) REFERENCES conversation (workspace, ticket) ON DELETE CASCADE
);

-- counts_until: until when its amount counts in the sums of 24 hours: for ever while open, a day once paid, else 0.
-- asked_at: when the provider was last asked. captured: what the payment had captured when it was claimed.
CREATE TABLE refund (
  id TEXT PRIMARY KEY,
  workspace TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  epoch BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  ticket TEXT NOT NULL,
  order_id TEXT NOT NULL,
  customer TEXT NOT NULL,
  payment TEXT NOT NULL,
  currency TEXT NOT NULL,
  asked BIGINT NOT NULL,
  amount BIGINT NOT NULL CHECK (amount > 0),
  state TEXT NOT NULL,
  kind TEXT NOT NULL,
  credential TEXT NOT NULL,
  callers BIGINT NOT NULL,
  received BIGINT NOT NULL,
  people BIGINT NOT NULL,
  strength TEXT NOT NULL,
  order_version BIGINT NOT NULL,
  ticket_version BIGINT NOT NULL,
  rules_version BIGINT NOT NULL,
  staged_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  asked_at BIGINT,
  captured BIGINT,
  ended_at BIGINT,
  counts_until BIGINT NOT NULL,
  reference TEXT,
  note_to_customer BLOB,
  note_internal BLOB
);
CREATE UNIQUE INDEX one_open_refund_per_payment ON refund (workspace, epoch, payment)
  WHERE state IN ('held', 'paying', 'unknown');
CREATE INDEX refund_of_ticket ON refund (workspace, ticket, seq);
CREATE INDEX refund_of_day ON refund (workspace, epoch, currency, counts_until, amount);
CREATE INDEX refund_of_customer ON refund (workspace, epoch, customer, currency, counts_until, amount);
CREATE INDEX refund_held ON refund (expires_at) WHERE state = 'held';
CREATE INDEX refund_waiting ON refund (workspace, seq) WHERE state = 'held';
CREATE INDEX refund_paying ON refund (asked_at) WHERE state IN ('paying', 'unknown');

CREATE TABLE refund_words (
  refund TEXT NOT NULL REFERENCES refund (id) ON DELETE CASCADE,
  n BIGINT NOT NULL,
  text BLOB NOT NULL,
  PRIMARY KEY (refund, n)
) WITHOUT ROWID;

CREATE TABLE approval (
  refund TEXT NOT NULL REFERENCES refund (id) ON DELETE CASCADE,
  approver TEXT NOT NULL,
  digest TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (refund, approver)
) WITHOUT ROWID;

CREATE TABLE nonce (
  hash TEXT PRIMARY KEY,
  refund TEXT NOT NULL REFERENCES refund (id) ON DELETE CASCADE,
  approver TEXT NOT NULL,
  digest TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT
) WITHOUT ROWID;
CREATE INDEX nonce_of_refund ON nonce (refund);
CREATE INDEX nonce_expired ON nonce (expires_at);

CREATE TABLE event (
  workspace TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  seq BIGINT NOT NULL,
  at BIGINT NOT NULL,
  who TEXT NOT NULL,
  what TEXT NOT NULL,
  ticket TEXT,
  refund TEXT,
  state TEXT,
  code TEXT,
  amount BIGINT,
  currency TEXT,
  PRIMARY KEY (workspace, seq)
) WITHOUT ROWID;
CREATE INDEX event_of_ticket ON event (workspace, ticket, seq);
CREATE INDEX event_of_refund ON event (refund) WHERE refund IS NOT NULL;
CREATE INDEX event_at ON event (at);

-- The console: one-use codes and sessions, by their hashes.
CREATE TABLE sign_in (
  hash TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  approver TEXT,
  expires_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX sign_in_expired ON sign_in (expires_at);

-- The embedded provider's own books. Nothing above refers to them.
CREATE TABLE ledger_account (
  account TEXT PRIMARY KEY,
  currency TEXT NOT NULL,
  captured BIGINT NOT NULL,
  paid BIGINT NOT NULL,
  CONSTRAINT ledger_never_above_captured CHECK (paid >= 0 AND paid <= captured)
) WITHOUT ROWID;

CREATE TABLE ledger (
  refund TEXT PRIMARY KEY,
  account TEXT NOT NULL REFERENCES ledger_account (account),
  amount BIGINT NOT NULL,
  reference TEXT UNIQUE
) WITHOUT ROWID;
