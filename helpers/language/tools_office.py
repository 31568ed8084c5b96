"""Programs that a team or a person works with, by purpose (see `tools`)."""

from __future__ import annotations

from typing import Final

from .purpose import Purpose

OFFICE: Final[dict[str, Purpose]] = {
    "documentation": Purpose(
        "sphinx mkdocs=mkdocs_material docusaurus vitepress gitbook readme.io=readme.com confluence notion"
        " mdbook antora javadoc typedoc jsdoc doxygen hugo jekyll nextra outline bookstack slab"
        " swagger=swagger_ui redoc starlight read_the_docs storybook github_wiki google_docs wiki.js mediawiki"
        " dokuwiki sharepoint guru coda xwiki slite",
        "documentation=docs=doc=manual wiki=wikis=knowledge runbook=runbooks=playbook=playbooks note=notes"
        " guide=guides handbook postmortem=postmortems adr=adrs spec=specs=specification",
        "write build generate generator keep base maintain live document publish site store host internal",
    ),
    "notes": Purpose(
        "obsidian notion evernote onenote joplin apple_notes bear roam=roam_research logseq google_keep"
        " standard_notes simplenote craft org_mode=org-mode anytype zettlr remnote",
        "note=notes=note-taking journal=diary todo=todos=to-do",
        "take keep write app taking store list",
    ),
    "to-do lists": Purpose(
        "todoist things=things_3 ticktick microsoft_to_do omnifocus any.do google_tasks apple_reminders"
        " remember_the_milk taskwarrior trello notion",
        "todo=todos=to-do=to-dos task=tasks=reminder=reminders list=lists",
        "keep manage app track management personal shopping",
    ),
    "diagrams": Purpose(
        "mermaid plantuml draw.io=diagrams.net lucidchart excalidraw miro visio graphviz d2 structurizr"
        " tldraw mural whimsical omnigraffle figjam gliffy yed",
        "diagram=diagrams=chart=flowchart=flowcharts whiteboard=whiteboards=whiteboarding sketch=sketches",
        "draw make create architecture write",
    ),
    "design": Purpose(
        "figma sketch adobe_xd=xd penpot invision framer zeplin canva photoshop illustrator affinity_designer"
        " axure balsamiq gimp inkscape",
        "design=designs mockup=mockups=wireframe=wireframes prototype=prototypes=prototyping logo=graphics=graphic",
        "make draw create ui ux do",
    ),
    "chat": Purpose(
        "slack microsoft_teams=teams=ms_teams discord mattermost zulip rocket.chat google_chat element=matrix"
        " webex telegram signal whatsapp=whatsapp_group irc imessage facebook_messenger wechat",
        "chat=chats=chatting=messaging=messenger discuss=discussion=discussions=communication=communicate"
        " announcement=announcements standup message=messages",
        "talk team internal happen group instant daily",
    ),
    "video calls": Purpose(
        "zoom google_meet=meet microsoft_teams=teams=ms_teams webex jitsi=jitsi_meet whereby skype"
        " bigbluebutton facetime gotomeeting slack_huddles=huddles around discord gather",
        "meeting=meetings=meet call=calls=video=videoconference=conferencing=conference"
        " standup=standups=stand-up=daily retro=retros=retrospective=retrospectives planning review=reviews"
        " demo=demos interview=interviews webinar=webinars lesson=lessons",
        "hold take place happen run do join client conduct",
    ),
    "calendar": Purpose(
        "google_calendar outlook=outlook_calendar fantastical apple_calendar=icloud_calendar proton_calendar"
        " calendly cal.com doodle nextcloud_calendar thunderbird teamup",
        "calendar=calendars appointment=appointments booking=bookings=book scheduling=schedule",
        "keep manage app make plan team",
    ),
    "e-mail client": Purpose(
        "thunderbird outlook apple_mail mutt=neomutt gmail superhuman spark proton_mail=protonmail fastmail"
        " google_workspace microsoft_365=office_365 zoho_mail tuta=tutanota mailbox.org mimestream evolution",
        "email=emails=mail=mails=e-mail=e-mails inbox=mailbox=mailboxes",
        "read client host provider hosting program write app account",
    ),
    "vpn": Purpose(
        "wireguard openvpn tailscale zerotier nordvpn mullvad ipsec cisco_anyconnect=anyconnect globalprotect"
        " headscale protonvpn=proton_vpn netbird twingate expressvpn fortinet=forticlient netmaker",
        "vpn=vpns remote tunnel=tunnels",
        "access connect provider network client go run",
    ),
    "customer records": Purpose(
        "salesforce hubspot pipedrive zoho=zoho_crm dynamics=dynamics_365 copper close attio sugarcrm odoo"
        " capsule freshsales",
        "crm=customer=customers lead=leads contact=contacts deal=deals sales",
        "manage keep data live record records track store",
    ),
    "accounting": Purpose(
        "xero quickbooks datev sage freshbooks lexoffice sap=sap_erp netsuite wave odoo sevdesk zoho_books bexio",
        "accounting=bookkeeping=books=accounts invoice=invoices=invoicing erp payroll expense=expenses",
        "do keep write create run handle",
    ),
    "personnel": Purpose(
        "personio bamboohr workday hibob rippling gusto deel adp factorial greenhouse lever ashby recruitee workable",
        "hr vacation=vacations=holiday=holidays=leave=absence=absences"
        " applicant=applicants=candidate=candidates=hiring=recruiting payroll",
        "manage track request enter record book days handle",
    ),
    "time tracking": Purpose(
        "toggl harvest clockify tempo timely everhour kimai tmetric hubstaff rescuetime",
        "time=hours=timesheet=timesheets=time-tracking",
        "track tracking log record enter book",
    ),
    "publishing": Purpose(
        "wordpress ghost drupal contentful strapi sanity directus typo3 joomla webflow squarespace wix"
        " payload storyblok prismic wagtail kirby craft_cms shopify woocommerce magento medusa shopware"
        " bigcommerce prestashop",
        "?cms=content blog=blogs shop=store=storefront=e-commerce=ecommerce=webshop website=site=page=pages"
        " article=articles",
        "manage management run on system build make keep edit based base online web power marketing",
    ),
    "experiments": Purpose(
        "mlflow weights_&_biases=wandb=w&b neptune=neptune.ai comet=comet_ml tensorboard clearml aim dvc"
        " sagemaker vertex_ai kubeflow guild_ai",
        "experiment=experiments training=train run=runs model=models",
        "track tracking log record registry ml machine learning",
    ),
    "deep learning": Purpose(
        "pytorch tensorflow jax keras mxnet scikit-learn=sklearn xgboost lightgbm flax paddlepaddle catboost",
        "train=training=trained model=models network=networks neural learning=ml",
        "build framework implement library machine deep",
    ),
    "data frames": Purpose(
        "pandas polars dask spark=pyspark=apache_spark duckdb modin vaex ibis cudf dplyr",
        "dataframe=dataframes=frame=frames=table data=dataset=datasets transformation=transformations",
        "process processing handle manipulation wrangling library analysis analyse",
    ),
    "language model": Purpose(
        "gpt-4o gpt-4 gpt-4o-mini gpt-4.1 gpt-5 gpt-3.5=gpt-3.5-turbo claude claude_sonnet claude_opus"
        " claude_haiku gemini=gemini_pro gemini_flash llama=llama_3 mistral=mistral_large mixtral qwen"
        " deepseek command_r phi-3 o1 gemma grok o3 codestral",
        "llm=llms=language=model=models=power=generate=call=run",
        "large write come use",
    ),
    "embeddings": Purpose(
        "faiss pinecone weaviate qdrant milvus chroma=chromadb pgvector lancedb redis elasticsearch vespa",
        "vector=vectors embedding=embeddings similarity=semantic",
        "store search keep database index",
    ),
    "pdf": Purpose(
        "wkhtmltopdf chromium=headless_chromium puppeteer weasyprint reportlab latex=tex prince=princexml"
        " pdfkit jasperreports itext gotenberg fpdf pandoc typst playwright libreoffice dompdf apache_fop=fop"
        " mpdf tcpdf",
        "pdf=pdfs",
        "generate produce render renderer create make build convert invoice document",
    ),
    "speech": Purpose(
        "whisper deepgram assemblyai google_speech-to-text=google_speech amazon_transcribe vosk azure_speech"
        " elevenlabs polly=amazon_polly coqui rev otter",
        "transcribe=transcription=transcript=transcripts=speech-to-text=speech voice=voices=text-to-speech",
        "do audio recording recordings recognition call calls make create generate",
    ),
    "text recognition": Purpose(
        "tesseract textract=amazon_textract google_vision abbyy=abbyy_finereader easyocr paddleocr ocrmypdf"
        " azure_form_recognizer doctr",
        "ocr text=recognition scan=scans",
        "read extract do recognise run document",
    ),
    "translation": Purpose(
        "deepl google_translate crowdin lokalise phrase transifex weblate poeditor smartling pontoon azure_translator",
        "translate=translation=translations=translated localisation=localization=i18n string=strings",
        "manage do keep management handle machine ui",
    ),
    "mobile crash": Purpose(
        "testflight firebase_app_distribution app_center",
        "beta=betas",
        "build builds distribute",
    ),
    "editor": Purpose(
        "vim=vi neovim=nvim emacs=spacemacs=doom_emacs vs_code=vscode=visual_studio_code pycharm"
        " intellij=intellij_idea helix nano sublime_text=sublime zed cursor webstorm goland eclipse xcode"
        " android_studio notepad++ atom kakoune visual_studio rider clion phpstorm rubymine netbeans"
        " jupyterlab rstudio windsurf kate textmate",
        "editor=editors=ide code=coding=program=programming=develop edit=editing",
        "write text do favourite preferred work main python",
    ),
    "shell": Purpose(
        "bash zsh fish powershell nushell=nu ksh tcsh dash elvish xonsh",
        "shell=shells script=scripts=scripting command-line",
        "login default write use interactive",
    ),
    "terminal": Purpose(
        "iterm2=iterm alacritty kitty wezterm ghostty warp windows_terminal gnome_terminal konsole hyper tmux"
        " zellij terminator tilix foot",
        "terminal=terminals multiplexer=multiplexing emulator",
        "use work run",
    ),
    "browsing": Purpose(
        "firefox chrome=google_chrome safari edge=microsoft_edge brave opera vivaldi arc chromium tor_browser"
        " librewolf duckduckgo zen orion",
        "browser=browsers browse=browsing=surf surfing",
        "web use default main daily everyday",
    ),
    "window manager": Purpose(
        "gnome kde=kde_plasma=plasma xfce i3 sway hyprland cinnamon mate awesome bspwm dwm xmonad lxqt cosmic",
        "window desktop",
        "manager environment use run",
    ),
    "keyboard layout": Purpose(
        "qwerty qwertz azerty dvorak colemak neo=neo2 workman",
        "layout=keyboard ?type=types",
    ),
    "font": Purpose(
        "helvetica arial inter roboto open_sans lato jetbrains_mono fira_code source_code_pro montserrat"
        " comic_sans times_new_roman georgia calibri garamond ubuntu_mono cascadia_code hack menlo monaco"
        " consolas iosevka noto_sans ibm_plex=ibm_plex_sans futura poppins",
        "font=fonts=typeface set=typeset heading=headings",
        "write text body display use code",
    ),
}
