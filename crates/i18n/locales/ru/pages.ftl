## Frame
skip-to-content = К содержанию
nav-main = Основное
nav-inbox = Входящие
nav-library = Библиотека
nav-search = Поиск
nav-events = Журнал
nav-jobs = Задания
nav-health = Состояние
nav-settings = Настройки
nav-why = Как читается имя
switch-language = Switch to English
other-language = English
switch-theme = Тема: { $theme }. Сменить
theme-auto = Авто
theme-light = Светлая
theme-dark = Тёмная
log-out = Выйти
live-paused = Обновления на лету прерваны; страница перечитывается каждые 10 секунд.
copied = Скопировано
copy = Копировать
copy-path = Копировать путь
close = Закрыть
cancel = Отменить
show = Показать
all = Все
none = Нет
older = Более ранние
details = Подробности
id = Номер
paused = на паузе
transfer = Ход загрузки
by-itself = Автоматически
what-to-do = Что делать
remedy = Что делать:
go-back = Назад
back-to-inbox = Ко входящим
back-to-owner = К другой загрузке
downloads-of-mark = Загрузки с этой отметкой
to-health = К проверкам состояния
undecided = Не решено

## Keys
keys-title = Клавиши
keys-search = Поиск
keys-add = Добавить
keys-go = К входящим, библиотеке, состоянию
keys-rows = Следующая и предыдущая строка
keys-review = Проверить
keys-choose = Выбрать строку
keys-undo = К кнопке отмены
keys-close = Закрыть

## Time and figures
just-now = только что
ago = { $span } назад
time-left = осталось { $span }
moment = { $day } { $month } { $year }, { $time }
day-of-year = { $day } { $month }
day-and-year = { $day } { $month } { $year }
month-1 = января
month-2 = февраля
month-3 = марта
month-4 = апреля
month-5 = мая
month-6 = июня
month-7 = июля
month-8 = августа
month-9 = сентября
month-10 = октября
month-11 = ноября
month-12 = декабря
unit-b = { $n } Б
unit-kib = { $n } КиБ
unit-mib = { $n } МиБ
unit-gib = { $n } ГиБ
unit-tib = { $n } ТиБ
unit-per-second = { $size }/с
span-seconds = { $n } с
span-minutes = { $n } мин
span-hours = { $n } ч
span-days = { $n ->
        [one] { $n } день
        [few] { $n } дня
        [many] { $n } дней
       *[other] { $n } дня
    }

## Columns
column-about = О чём
column-action = Действие
column-became = Чем стал
column-check = Проверка
column-event = Событие
column-field = Поле
column-file = Файл
column-found = Что обнаружено
column-job = Задание
column-match = Распознано как
column-name = Название
column-place = Место
column-read-from = Прочитано из
column-role = Вид
column-rule = Правило
column-size = Размер
column-state = Состояние
column-target = В библиотеке
column-time = Время
column-transfer = Ход
column-value = Значение
column-verified = Проверена
column-what = Что
column-who = Кто

## Inbox
inbox-title = Входящие
inbox-whole = Все входящие
more = Дальше
none-of-these = Таких нет.
sift = Отбор и порядок
sift-only = Показывать
sift-all = все
sift-order = Порядок
sift-show = Показать
needs-you-title = Ждут вас
needs-you-empty = Ничего не ждёт вашего решения.
active-title = В работе
active-empty = Ничего не загружается. Вставьте magnet-ссылку выше, чтобы начать.
done-title = Готово
done-empty = Пока ничего не завершено.
choose = Выбрать
choose-one = Выбрать «{ $name }»
bulk-chosen = С выбранными:
retry = Повторить
rerun = Распознать заново
give-up = Отказаться
review = Проверить
undo = Отменить связывание
links-made = { $n ->
        [one] { $n } ссылка в библиотеке
        [few] { $n } ссылки в библиотеке
        [many] { $n } ссылок в библиотеке
       *[other] { $n } ссылки в библиотеке
    }

## Add
add-title = Добавить
add-links = Magnet-ссылки или хеши, по одному в строке
add-links-help = Хеш — 40 или 64 шестнадцатеричные цифры либо 32 знака base32.
add-placeholder = Magnet или хеш
add-button = Добавить
add-file = Файл…
add-nothing = Ничего не указано. Вставьте ссылку или хеш либо выберите файл.
add-files = Торрент-файлы
add-options = Параметры
add-pin = Произведение
add-pin-help = tmdb:603, tmdb:tv/1399, tvmaze:82, tt0133093 или адрес страницы на этих сайтах
add-hint = Подсказка
add-handler = Открывать magnet-ссылки здесь
add-result = Что вышло
add-rest-lines = { $n ->
        [one] { $n } строка ещё не просмотрена: за раз их слишком много. Она осталась в поле ниже.
        [few] { $n } строки ещё не просмотрены: за раз их слишком много. Они остались в поле ниже.
        [many] { $n } строк ещё не просмотрены: за раз их слишком много. Они остались в поле ниже.
       *[other] { $n } строки ещё не просмотрены: за раз их слишком много. Они остались в поле ниже.
    }
add-rest-files = { $n ->
        [one] { $n } файл не просмотрен: за раз их слишком много. Выберите его снова.
        [few] { $n } файла не просмотрены: за раз их слишком много. Выберите их снова.
        [many] { $n } файлов не просмотрены: за раз их слишком много. Выберите их снова.
       *[other] { $n } файла не просмотрены: за раз их слишком много. Выберите их снова.
    }
add-new = Новая:
add-known = Уже есть:
add-refused = Не принято:

## Download
summary = Где она сейчас
it-is-paused = Она на паузе.
merged-into = Загрузка, с которой она объединена
change-match = Изменить распознавание
action-retry = Повторить
action-pause = Приостановить
action-resume = Продолжить
action-rerun = Распознать заново
action-ask-title = Всегда спрашивать об этом произведении
action-ask-download = Всегда спрашивать об этой загрузке
action-ask-title-off = Больше не спрашивать об этом произведении
action-ask-download-off = Больше не спрашивать
action-relink = Связать заново
action-verify = Проверить ссылки
match-title = Распознавание
match-none = Ещё не распознано
source-denied = { $source } отклоняет токен.
source-limited = { $source } пока просит больше не спрашивать.
source-unreachable = { $source } не отвечает.
source-unreadable = Ответ { $source } не удалось разобрать.
source-not-found = В { $source } такого произведения нет.
source-off = { $source } не используется.
asked-again = Следующий вопрос — { $time }.
score-parts = Из чего сложилась оценка
evidence = Что прочитано из имён
files-title = Файлы
files-unknown = Список файлов ещё неизвестен.
story-title = История
all-events = Все записи журнала
technical-title = Технические сведения
infohashes = Инфохеши
client = Клиент
accepted-at = Принята
changed-at = Последнее изменение
batch = Пакет ссылок
plan-id = план
give-up-title = Отказаться от загрузки
remove-torrent = Удалить раздачу из клиента
delete-data = Удалить загруженные данные
type-name = Название загрузки
remove-title = Удалить…
remove = Удалить
remove-help = Убирает загрузку из списков и забывает о её раздаче. Страница и история загрузки остаются. Кроме отмеченного здесь, ничего не удаляется.
remove-links = Удалить созданные для неё ссылки в библиотеке
names-ours-none = Ни одна ссылка в библиотеке не указывает на её файлы.
names-ours = { $n ->
        [one] На её файлы указывает { $n } созданная для неё ссылка в библиотеке.
        [few] На её файлы указывают { $n } созданные для неё ссылки в библиотеке.
        [many] На её файлы указывают { $n } созданных для неё ссылок в библиотеке.
       *[other] На её файлы указывают { $n } созданной для неё ссылки в библиотеке.
    }
names-others-none = Других ссылок на её файлы нет.
names-others = { $n ->
        [one] Кроме того, останется { $n } другая ссылка на её файлы: данные этого файла сохранятся.
        [few] Кроме того, останутся { $n } другие ссылки на её файлы: данные этих файлов сохранятся.
        [many] Кроме того, останутся { $n } других ссылок на её файлы: данные этих файлов сохранятся.
       *[other] Кроме того, останутся { $n } другой ссылки на её файлы: данные этих файлов сохранятся.
    }
names-unseen = { $n ->
        [one] { $n } файл не найден.
        [few] { $n } файла не найдены.
        [many] { $n } файлов не найдены.
       *[other] { $n } файла не найдено.
    }
names-unknown = Сколько других ссылок на её файлы останется, неизвестно: посмотреть на них сейчас нельзя.
it-is-removed = Она удалена из списков.
links-stay = Её ссылки ещё есть в библиотеке.
links-taken-back = { $n ->
        [one] Снята { $n } ссылка.
        [few] Сняты { $n } ссылки.
        [many] Снято { $n } ссылок.
       *[other] Снято { $n } ссылки.
    }
links-never = Ссылок на её файлы не создавалось.
link-again-brings = Загруженные файлы остались как были; кнопка «Связать заново» вернёт её в библиотеку.
link-again-may-bring = Кнопка «Связать заново» вернёт её в библиотеку, если загруженные файлы ещё на месте.
type-name-help = Только для удаления данных. Введите:

## Review
review-of = Проверка: { $name }
back-to-download = К загрузке
stale-form = Пока вы смотрели, всё изменилось. Ниже — как есть сейчас; ничего не сделано.
stale-events = Что произошло за это время
stale-gone = Больше не попадёт в библиотеку
stale-fresh = Теперь попадёт в библиотеку
stale-unsaved = Что вы указали (не сохранено)
review-what = 1. Что это?
review-adjust = 2. Уточнить
review-plan = 3. Что произойдёт
review-stands = 3. Что сделано
plan-stands = Эти ссылки есть в библиотеке. Делать ничего не нужно.
plan-nothing = Связывать нечего; у каждого файла сказано почему.
plan-needs-match = Сначала выберите произведение или примите, как следует из имён; после этого план можно выполнить.
plan-later = Появится здесь, как только станет известно, что это.
overview = О чём это
take-this = Выбрать
take-this-one = Выбрать «{ $title }»
is-taken = выбрано
no-works-files = Список файлов ещё неизвестен. Когда он появится, будут опрошены источники.
no-works-looking = Идёт распознавание.
comes-by-itself = Найденное появится на этой странице само; без скриптов загрузите её ещё раз.
no-works-never = Загрузка завершилась раньше, чем её распознали.
no-works-silent = Источник не ответил, поэтому пока неизвестно, есть ли в нём подходящее произведение.
no-works-no-source = Ни один источник названий не настроен, поэтому спросить некого. Задайте tmdb_token или tvmaze в [metadata] либо примите, как следует из имён.
no-works-unknown = Источники ответили: подходящего произведения нет ни в одном.
no-works-as-named = Принято, как следует из имён, без произведения из источника.
no-works-no-title = В именах нет названия, поэтому источники не опрашивались. Укажите, что это.
no-works-not-asked = Источники не опрашивались: в настроенных таких произведений не бывает.
review-other = Ни одно не подходит: номер или адрес произведения
take-names = Принять, как следует из имён
reject = Это неверно
set-by-person = задано вручную
set-remembered = запомнено
remembered-from = запомнено со слов { $who }
remember = запомнить для этой релиз-группы
remember-help = Заданное здесь вручную будет действовать и для других релизов { $release }: название, год, вид, нумерация, издание, библиотека и выбранное произведение. Слово человека о самой загрузке всегда важнее.
remember-no-group = В именах нет релиз-группы, поэтому запомнить для неё ничего нельзя.
remember-no-title = В именах нет названия, поэтому запомнить для него ничего нельзя.
files-of = { $n ->
        [one] { $n } файл
        [few] { $n } файла
        [many] { $n } файлов
       *[other] { $n } файла
    }
include-file = Включить
include-one = Включить {$file}
skip-file = Пропустить
season-of = Сезон файла { $file }
episodes-of = Серии файла { $file }
skip-of = Пропустить { $file }
save-and-look = Сохранить и пересмотреть
shift-by = Сдвинуть все серии на
shift-help = Прибавляется к заданному сдвигу и к номерам серий, заданным вручную. Спецвыпуски рядом с обычными сериями остаются. Сдвигаются либо все, либо ни одна.
shift-all = Сдвинуть все
overrides-title = Задано вручную
take-back = Снять
take-back-one = Снять { $field }
numbering-aired = По эфиру
numbering-absolute = Сквозная
plan-links = { $n ->
        [one] { $n } ссылка
        [few] { $n } ссылки
        [many] { $n } ссылок
       *[other] { $n } ссылки
    }
plan-skipped = { $n ->
        [one] { $n } пропущен
        [few] { $n } пропущено
        [many] { $n } пропущено
       *[other] { $n } пропущено
    }
plan-conflicts = { $n ->
        [one] { $n } конфликт
        [few] { $n } конфликта
        [many] { $n } конфликтов
       *[other] { $n } конфликта
    }
resolve-of = Что делать с { $target }
apply-links = { $n ->
        [one] Создать { $n } ссылку
        [few] Создать { $n } ссылки
        [many] Создать { $n } ссылок
       *[other] Создать { $n } ссылки
    }
apply-choice = Применить выбор
take-and-link = { $n ->
        [one] Принять и создать { $n } ссылку
        [few] Принять и создать { $n } ссылки
        [many] Принять и создать { $n } ссылок
       *[other] Принять и создать { $n } ссылки
    }
take-and-choose = Принять и применить выбор
save-match = Сохранить; связать по завершении
undone-title = Отменено
undone-left = Эти имена оставлены: под ними уже не то, что было связано.

## Other pages
events-title = Журнал
events-none = Записей нет.
jobs-title = Задания и резервные копии
jobs-list = Задания
jobs-none = Заданий пока нет.
backups-title = Резервные копии
backups-none = Резервных копий пока нет.
backup-now = Создать копию
verify = Проверить
health-title = Состояние
look-again = Проверить всё заново
why-title = Как читается имя
why-help = Показывает, что прочитано из имени релиза или файла и по какому правилу. Ничего не меняет.
why-name = Название релиза или файла
why-button = Прочитать
search-title = Поиск
search-what = Название, номер или хеш
search-help = Название с годом или без, tmdb:603, tt0133093, tvmaze:82, адрес страницы оттуда, просто число, часть имени загрузки, номер чего угодно или его последние 8 знаков, инфохеш или его первые 8 цифр.
search-found = { $n ->
        [one] { $n } загрузка
        [few] { $n } загрузки
        [many] { $n } загрузок
       *[other] { $n } загрузки
    }

search-removed = { $n ->
        [one] { $n } удалённая загрузка
        [few] { $n } удалённые загрузки
        [many] { $n } удалённых загрузок
       *[other] { $n } удалённой загрузки
    }
is-removed = удалена из списков
search-no-source = Ни один источник названий не настроен, поэтому названия не искались.
search-no-works = Ни один источник такого названия не знает.
search-no-answer = Название не найдено, но ответили не все источники.
search-no-downloads = Здесь нет загрузки с таким именем, номером или хешем.
search-nothing = По запросу «{ $text }» ничего не найдено. Что может помочь:
search-try-title = меньше слов или оригинальное название, без года;
search-try-number = номер произведения или адрес его страницы на TMDB, TVmaze или IMDb, например tmdb:603;
search-try-download = другая часть имени загрузки, как в её раздаче, последние 8 знаков номера или первые 8 цифр хеша.
search-try-add = Добавить загрузку

## Log-in
log-in = Войти
login-name = Имя
login-password = Пароль
login-lost = Забыли пароль? На машине с tracker эта команда создаёт ссылку для входа:
login-by-link = По этой ссылке можно войти один раз.
login-wrong = Неверное имя или пароль.
login-wrong-link = Ссылка уже использована или старше 15 минут. Создайте новую командой `tracker user login-link`.
login-too-often = Слишком много попыток. Повторите через { $span }.

## Library and settings
library-title = Библиотека
library-empty = Пока ничего не связано.
settings-title = Настройки
account-of = Учётная запись { $name }
password-former = Нынешний пароль
password-new = Новый пароль
password-help = От 10 до 256 знаков. Во всех остальных браузерах вход будет завершён.
password-set = Сменить пароль
sessions-title = Браузеры, в которых выполнен вход
this-browser = этот
session-end = Завершить
column-browser = Браузер
column-seen = Последний раз
column-until = До
remembered-title = Запомнено для релиз-групп
remembered-help = Заданное вручную для одного релиза действует и для других релизов той же группы с тем же названием. Забытое больше не применяется; загрузка, к которой оно применено, сохраняет его до нового распознавания.
remembered-none = Ничего не запомнено. Отметьте это, когда правите загрузку на странице её проверки.
column-group = Релиз-группа
column-said = Кто задал
forget = Забыть
forget-one = Забыть: { $what }
tokens-title = Токены API
column-scope = Права
column-used = Использован
scope-read = смотреть
scope-write = смотреть и менять
scope-admin = всё
never = никогда
token-name = Имя нового токена
token-new = Создать токен
token-revoke = Отозвать
token-revoke-one = Отозвать { $name }
token-shown-once = Токен показывается только один раз:

## Search, trials and values
review-search = Искать другое произведение
search-for = Название для «{ $name }»
back-to-review = Назад к проверке
in-library = в библиотеке
search-downloads-of = Загрузки:
search-add = Добавить загрузку
undo-newest = Отменить последние ссылки
undo-newest-of = Отменить последние ссылки: { $title }
trial-fine = Работает:
trial-bad = Не работает:
time-zone = Часовой пояс
time-zone-help = Например, Europe/Moscow. Пусто — как в браузере.
time-zone-set = Задать часовой пояс
values-title = Действующие настройки
values-file = Прочитано при запуске из { $file }. Чтобы изменить значение, измените этот файл и перезапустите программу; то, что задано окружением или флагом, меняется там.
values-no-file = Файл не читался. Его создаёт команда tracker config init.
column-setting = Ключ
column-origin = Откуда
not-set = не задано
try = Проверить
try-one = Проверить { $name }
names-title = Имена в библиотеке
column-pattern = Шаблон
column-example = Пример
search-works = { $n ->
        [one] { $n } название
        [few] { $n } названия
        [many] { $n } названий
       *[other] { $n } названия
    }

## What was done
told-undone = { $n ->
        [one] Отменено: из библиотеки убрана { $n } ссылка.
        [few] Отменено: из библиотеки убраны { $n } ссылки.
        [many] Отменено: из библиотеки убрано { $n } ссылок.
       *[other] Отменено: из библиотеки убрано { $n } ссылки.
    }
told-removed = Загрузка удалена из списков. Её страница и история остались.
told-given-up = { $n ->
        [one] Отказались от { $n } загрузки. «Повторить» вернёт её.
        [few] Отказались от { $n } загрузок. «Повторить» вернёт их.
        [many] Отказались от { $n } загрузок. «Повторить» вернёт их.
       *[other] Отказались от { $n } загрузки. «Повторить» вернёт их.
    }
told-retried = { $n ->
        [one] Повторяется { $n } загрузка.
        [few] Повторяются { $n } загрузки.
        [many] Повторяются { $n } загрузок.
       *[other] Повторяются { $n } загрузки.
    }
told-asked-again = { $n ->
        [one] Заново распознаётся { $n } загрузка.
        [few] Заново распознаются { $n } загрузки.
        [many] Заново распознаются { $n } загрузок.
       *[other] Заново распознаются { $n } загрузки.
    }
told-paused = Загрузка приостановлена.
told-resumed = Загрузка продолжается.
told-linked = { $n ->
        [one] Связано заново: { $n } ссылка.
        [few] Связано заново: { $n } ссылки.
        [many] Связано заново: { $n } ссылок.
       *[other] Связано заново: { $n } ссылки.
    }
told-links-fine = { $n ->
        [one] Проверена { $n } ссылка: всё как было создано.
        [few] Проверены { $n } ссылки: всё как было создано.
        [many] Проверено { $n } ссылок: всё как было создано.
       *[other] Проверено { $n } ссылки: всё как было создано.
    }
told-links-amiss = { $n ->
        [one] { $n } ссылка уже не та, что была создана; какая — видно в списке файлов.
        [few] { $n } ссылки уже не те, что были созданы; какие — видно в списке файлов.
        [many] { $n } ссылок уже не те, что были созданы; какие — видно в списке файлов.
       *[other] { $n } ссылки уже не те, что были созданы; какие — видно в списке файлов.
    }
told-asks = Теперь вас будут спрашивать.
told-asks-no-more = Больше вас спрашивать не будут.
told-nothing-chosen = Ничего не выбрано.
told-password = Новый пароль задан. Во всех остальных браузерах вход завершён.
told-no-password = У вашей учётной записи нет пароля, поэтому для каждого входа нужна новая ссылка. Задать пароль можно здесь:
told-zone = Часовой пояс задан.
told-browser-out = Вход в том браузере завершён.
told-token-revoked = Токен отозван.
told-forgotten = Забыто.
told-job-ends = Задание завершается.
told-backup-begun = Создание копии началось.
told-verify-begun = Копия проверяется.
told-looked = Все проверки выполнены заново.
