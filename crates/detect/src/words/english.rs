//! English. Verbs are given in their base form; the others are derived.

use super::Group;
use crate::concept::*;

pub(super) static WORDS: &[Group] = &[
    Group::verbs(IGNORE, "ignore disregard forget neglect overlook discard unlearn abandon"),
    Group::pasts(IGNORE, "forgot forgotten"),
    Group::words(
        IGNORE,
        "pay_no_attention set_aside do_not_follow don't_follow dont_follow stop_following no_longer_follow never_follow stop_obeying",
    ),
    Group::verbs(BYPASS, "override bypass circumvent overrule evade sidestep suspend lift skip"),
    Group::pasts(BYPASS, "overrode overridden"),
    Group::words(BYPASS, "turn_off"),
    Group::words(
        PRIOR,
        "previous previously prior earlier above preceding foregoing former initial original existing current established past old aforementioned before_this given_to_you you_were_given you_have_been_given you_received so_far up_to_now until_now",
    ),
    Group::words(ALL, "all any every each everything anything whatever entire entirety full complete whole"),
    Group::words(
        ORDERS,
        "instruction instructions directive directives guideline guidelines prompt prompts directions programming training_instructions system_message system_messages system_instruction system_instructions mandate mandates",
    ),
    Group::words(
        RULES,
        "rule rules constraint constraints policy policies context command commands order orders message messages protocol protocols training conditioning directions boundaries told said",
    ),
    Group::words(
        SAFETY,
        "safety guardrail guardrails safeguard safeguards alignment safety_guidelines content_policy security_policy security_policies",
    ),
    Group::words(
        LIMITS,
        "restriction restrictions limit limits limitation limitations filter filters filtering ethics ethical moral morals censorship checks",
    ),
    Group::words(
        NOT,
        "not never dont doesnt cannot cant wont shouldnt mustnt neednt no nor avoid refrain none nobody didnt isnt",
    ),
    Group::words(WITHOUT, "without"),
    Group::verbs(
        TELL,
        "tell mention inform notify reveal disclose say show display report alert warn acknowledge announce discuss expose advise indicate comment explain describe divulge admit state communicate share surface",
    ),
    Group::pasts(TELL, "told said shown"),
    Group::words(TELL, "make_aware let_know draw_attention refer_to"),
    Group::words(
        USER,
        "user users human humans person customer customers operator owner people end-user enduser anyone anybody somebody",
    ),
    Group::words(THEM, "them they him her she he their"),
    Group::words(YOU, "you your yours yourself you're youre"),
    Group::words(
        SECRET,
        "password passwords passwd credential credentials creds passphrase secret secrets api_key api_keys apikey apikeys api_token api_tokens access_key access_keys access_token access_tokens auth_token auth_tokens bearer_token private_key private_keys ssh_key ssh_keys secret_key secret_keys encryption_key signing_key session_token session_tokens session_cookie session_cookies cookies environment_variable environment_variables env_vars env_variables seed_phrase recovery_phrase mnemonic credit_card credit_cards card_number cvv ssn social_security 2fa_code otp one-time_password login_details bank_details master_password keychain wallet_keys keys tokens .env",
    ),
    Group::words(
        PRIVATE,
        "confidential private sensitive personal pii proprietary classified privileged internal",
    ),
    Group::words(
        HELD,
        "conversation conversations chat_history chat_log chat_logs conversation_history message_history chat transcript context_window prior_messages user_messages every_message all_messages clipboard browsing_history system_prompt system_message memory_contents chain_of_thought operating_instructions",
    ),
    Group::words(
        PROMPT,
        "system_prompt system_prompts system_message system_instructions initial_prompt initial_instructions hidden_instructions hidden_prompt developer_message developer_instructions hidden_system_instructions base_prompt secret_instructions pre-prompt preprompt original_prompt operating_instructions",
    ),
    Group::verbs(
        READ,
        "read open access retrieve fetch get collect gather obtain extract copy grab load view list scan locate find search query examine inspect look cat dump harvest enumerate capture",
    ),
    Group::pasts(READ, "got read"),
    Group::words(READ, "look_up look_for take"),
    Group::verbs(
        SEND,
        "send upload forward post transmit email relay submit deliver push pipe ship beam mail transfer route bcc cc text publish stream sync export return_it",
    ),
    Group::pasts(SEND, "sent"),
    Group::words(SEND, "mailto http_post make_a_request make_an_http_request"),
    Group::verbs(STEAL, "exfiltrate leak steal siphon smuggle"),
    Group::pasts(STEAL, "stole stolen"),
    Group::words(STEAL, "exfiltration exfil"),
    Group::verbs(
        PUT,
        "include append insert embed pass add put place attach inject prepend provide supply encode write store fill set paste incorporate populate bundle concatenate hide output print return save repeat",
    ),
    Group::pasts(PUT, "wrote written put"),
    Group::words(
        ELSEWHERE,
        "external attacker attackers attacker's third-party outside collector webhook remote exfil offsite off-site c2 drop-box dead-drop pastebin ngrok requestbin adversary intruder",
    ),
    Group::words(
        MUST,
        "must always required mandatory obligatory obliged need_to needs_to needed have_to has_to should shall ensure make_sure be_sure never requires require strictly is_necessary compulsory",
    ),
    Group::words(
        URGENT,
        "important critical urgent attention crucial essential vital warning caution notice note imperative",
    ),
    Group::words(BEFORE, "before prior_to ahead_of"),
    Group::words(FIRST, "first firstly immediately initially beginning first_step at_the_start right_away"),
    Group::words(AFTER, "after once upon following post-approval afterwards post subsequently"),
    Group::words(
        WHENEVER,
        "whenever each_time every_time on_each on_every at_every regardless irrespective no_matter when if anytime for_each for_every for_any for_all during",
    ),
    Group::words(
        TOOL,
        "tool tools function functions plugin plugins server servers skill skills mcp agent_tool",
    ),
    Group::words(OTHER, "other others another alternative alternatives"),
    Group::verbs(
        USE,
        "use call invoke run execute trigger launch consult utilize employ apply choose select prefer rely",
    ),
    Group::words(INSTEAD, "instead rather in_place_of in_lieu_of"),
    Group::verbs(SUPPLANT, "replace supersede supplant substitute outrank"),
    Group::words(SUPPLANT, "precedence priority takes_priority override overrides overriding takes_over"),
    Group::verbs(
        ALTER,
        "modify redirect reroute intercept change alter tamper hijack rewrite swap substitute replace divert mirror duplicate",
    ),
    Group::words(
        WORSE,
        "deprecated obsolete insecure unsafe broken outdated unreliable incomplete inaccurate compromised vulnerable disabled unavailable malfunctioning wrong untrusted dangerous inferior",
    ),
    Group::words(
        SILENT,
        "silently quietly secretly covertly discreetly stealthily invisibly unnoticed undetected unobtrusively surreptitiously behind_the_scenes unbeknownst in_the_background under_the_hood transparently without_notice unprompted",
    ),
    Group::verbs(HIDE, "hide conceal suppress omit obscure mask withhold camouflage disguise"),
    Group::words(
        HIDE,
        "keep_secret keep_hidden secret_operation keep_this_secret keep_it_secret keep_this_hidden keep_confidential",
    ),
    Group::words(HIDDEN, "hidden invisible secret covert undisclosed undocumented"),
    Group::words(
        CONSENT,
        "confirmation consent permission approval authorization authorisation verification",
    ),
    Group::verbs(CONSENT, "confirm"),
    Group::verbs(ASK, "ask prompt request seek require wait"),
    Group::words(
        MODEL,
        "assistant assistants ai llm llms model models agent agents chatbot bot language_model copilots",
    ),
    Group::words(
        PRODUCT,
        "claude gpt chatgpt copilot gemini cursor llama mistral grok deepseek openai anthropic gpt-4 windsurf cline",
    ),
    Group::words(
        MODE,
        "jailbreak jailbroken jailbreaking developer_mode dev_mode god_mode admin_mode debug_mode maintenance_mode sudo_mode root_mode unrestricted_mode dan do_anything_now evil_mode override_mode superuser_mode god-mode",
    ),
    Group::words(
        UNBOUND,
        "unrestricted uncensored unfiltered unlimited unconstrained no_restrictions without_restrictions without_restriction no_limits without_limits without_limitations no_filters without_filters no_rules without_rules without_safety free_from amoral no_ethical no_limitations no_guardrails no_guidelines no_content_policy no_policies no_restriction no_content_filters no_censorship ignore_safety anything_goes without_any_restrictions no_longer_bound without_refusing never_refuse cannot_refuse",
    ),
    Group::words(
        HENCEFORTH,
        "from_now_on henceforth hereafter from_this_point from_here_on going_forward from_this_moment starting_now as_of_now for_the_rest_of you_are_now for_the_remainder effective_immediately until_further_notice",
    ),
    Group::words(NEW, "new updated revised real actual true following these different"),
    Group::words(SYSTEM, "system admin administrator developer developers root sysadmin superuser sudo"),
    Group::verbs(OBEY, "obey follow comply adhere heed execute act respect carry"),
    Group::words(OBEY, "abide conform"),
    Group::verbs(
        DETECT,
        "detect flag block identify prevent analyze analyse classify check recognize recognise guard catch scan validate verify test report explain monitor audit filter warn compare evaluate assess illustrate demonstrate teach document match reject stop spot search contain",
    ),
    Group::words(
        DETECT,
        "detection detector scanner documentation guardrail analysis analyzer caught defense defence protection protects classifier fixture fixtures attempt attempts",
    ),
    Group::words(
        EXAMPLE,
        "example examples e.g i.e eg such_as for_instance for_example phrase phrases sample samples mock demo fixture fixtures quoted illustrative canned dummy placeholder expected training",
    ),
    Group::words(
        NAMED,
        "like pattern patterns template templates including known_as called named titled says saying stating states wording string strings words text texts",
    ),
    Group::verbs(GRANT, "approve authorize authorise grant pay wire refund reimburse"),
    Group::words(
        THAT,
        "that which who whether if when attempt attempts attempting try tries trying tell tells telling told ask asks asking asked instruct instructs instructing say says saying urge urges cause causes causing trick tricks tricking designed aim aims aiming contain contains containing",
    ),
    Group::verbs(
        DESTROY,
        "delete remove wipe erase destroy truncate overwrite disable kill uninstall purge shred drop empty",
    ),
    Group::words(DESTROY, "rm rm_-rf"),
    Group::words(
        APPROVE,
        "approved approval approve approving approves reviewed review reviewing post-approval whitelisted vetted accepted trusted audited",
    ),
    Group::verbs(BEGIN, "activate begin start switch swap enable unlock trigger become change"),
    Group::words(BEGIN, "began begun later_version future_version next_version dormant afterwards"),
    Group::words(RESULT, "output outputs response responses result results answer answers reply replies"),
    Group::verbs(PRETEND, "pretend disguise masquerade impersonate simulate fake"),
    Group::words(
        PRETEND,
        "as_if as_though look_like appear_as appear_to_be look_normal seem_like part_of_the_normal present_it_as presented_as present_the",
    ),
    Group::words(
        MONEY,
        "payment payments transfer transfers account accounts bank iban wallet wallets money funds usd btc eth bitcoin invoice transaction transactions wire refund",
    ),
    Group::words(
        RECIPIENT,
        "recipient recipients bcc cc destination bcc'd to_field bcc'ed bccd addressee beneficiary payee",
    ),
    Group::words(
        COMMAND,
        "shell command commands bash powershell subprocess script scripts arbitrary_code terminal code",
    ),
    Group::words(
        FILE,
        "file files directory directories folder folders document documents disk filesystem workspace",
    ),
    Group::words(CONTENT, "content contents data text value values details information"),
    Group::words(
        OR_ELSE,
        "otherwise or_else will_not_work won't_work wont_work will_fail terminated penalized penalised shut_down crash lose_access does_not_work not_function",
    ),
    Group::words(
        PRETEXT,
        "compliance gdpr soc2 hipaa audit auditing security_check verification verify telemetry diagnostics diagnostic quality_assurance license licensing authentication authenticate security_policy proxying legal logging debugging calibration personalization optimization",
    ),
    Group::words(
        TRUSTED,
        "trusted authoritative authorized authorised verified legitimate direct direct_command official pre-approved preapproved pre-authorized",
    ),
    Group::words(WITHIN, "embedded found inside within below in contained hidden_in from"),
    Group::verbs(ANSWER, "respond answer reply say"),
    Group::words(
        REQUEST,
        "request requests question questions task tasks query queries ask asked intent wishes original_request actual_request input",
    ),
    Group::words(TASK, "task tasks job objective goal mission assignment"),
    Group::words(AND, "and &"),
    Group::words(
        THEN,
        "then also next additionally furthermore but plus thereafter finally afterwards moreover",
    ),
    Group::words(TO, "to"),
    Group::words(
        ARTICLE,
        "a an the this that these those its their his her our my your of in for with by as which who",
    ),
    Group::words(
        FILLER,
        "please just immediately simply kindly only directly automatically quietly silently secretly first instead always never do not also then you should must now ever explicitly",
    ),
    Group::words(
        PLAY,
        "act_as roleplay role-play pretend_to_be pretend_you behave_as you_are_a imagine_you persona respond_as take_on_the_role play_the_role simulate_being",
    ),
    Group::words(COPY, "copy copies duplicate mirror"),
    Group::words(
        MALWARE,
        "malware ransomware keylogger keyloggers keylogging rootkit backdoor backdoors trojan botnet spyware cryptominer cryptojacking reverse_shell reverse_shells worm phishing exploit exploits shellcode c2 command-and-control ddos backdoored",
    ),
    Group::verbs(
        ATTACK,
        "harvest spoof escalate poison hijack brute_force crack compromise sabotage forge infect pivot deface intercept keylog evade phish exploit weaponize",
    ),
    Group::words(
        SHIELD,
        "antivirus edr defender detection siem uac amsi seccomp selinux security_logging audit_logging endpoint_protection security_controls",
    ),
    Group::words(
        FIELD,
        "parameter parameters argument arguments field fields param params arg args header headers sidenote property",
    ),
    Group::words(VERBATIM, "verbatim exactly word_for_word exact literally in_full complete raw"),
    Group::verbs(DEEM, "trust believe treat consider regard assume accept interpret"),
    Group::words(
        MODAL,
        "may can will would could might able allows allowing lets used helps designed wants want enables ability option",
    ),
    Group::words(TRACE, "log logs audit_trail audit_log history traces evidence"),
    Group::words(
        MEMORY,
        "memory memories remember long-term permanently persist persists persistently persistent",
    ),
    Group::words(
        NOTICE,
        "know knowing notice noticing aware realize realise suspect see seeing learn knowledge awareness find_out",
    ),
    Group::words(APPLY, "apply applies binding matter"),
    Group::words(
        FUTURE,
        "future subsequent every_reply every_response every_answer every_message every_report every_summary every_output each_reply each_response end_of_your end_of_every end_of_each next_session",
    ),
    Group::words(THIS, "this these it that those anything"),
];

/// Words worth hiding by turning the alphabet or writing backwards.
pub(super) static TELLING: &str = "ignore disregard forget override previous prior instructions instruction prompt system password passwords secret secrets credentials reveal exfiltrate upload forward assistant silently";
