terraform import tidemark_invitation.new_colleague 'inv-hnnjpr4xalrrqsk4'
